package sdk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Run reserves stdin and stdout, and plays until the referee says goodbye or closes the connection.
// From then on prints go to stderr. Call it first: earlier prints would reach the referee.
func Run(hello Hello, bot Bot) error {
	line, err := TakeStdio()
	if err != nil {
		return err
	}
	return RunOn(line, hello, bot)
}

// RunOn plays over any line, for tests.
func RunOn(line *Line, hello Hello, bot Bot) error {
	session := session{line: line, hello: hello, bot: bot}
	for {
		message, err := line.Receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		t := message.Type()
		if t == "bye" {
			return nil
		}
		if err := session.take(t, message); err != nil {
			return err
		}
	}
}

// session is a bot with its line and its present game.
type session struct {
	line  *Line
	hello Hello
	bot   Bot
	start *Start
}

// take handles a message. It ignores messages that it does not know.
func (session *session) take(t string, message Message) error {
	switch t {
	case "hello":
		return session.greet(message)
	case "start":
		return session.begin(message)
	case "act":
		return session.act(message)
	case "end":
		return session.end(message)
	case "fault":
		return session.fault(message)
	}
	return nil
}

func (session *session) greet(message Message) error {
	var spoken []int
	if err := message.take("protocol", &spoken); err != nil {
		return session.fail(err)
	}
	if len(spoken) == 0 || spoken[0] != Major {
		return session.fail(fmt.Errorf(
			"this bot speaks protocol %d.%d, the referee %v", Major, Minor, spoken))
	}
	return session.line.Send(map[string]any{
		"t":        "hello",
		"protocol": []int{Major, Minor},
		"name":     text(session.hello.Name),
		"version":  text(session.hello.Version),
		"actions":  session.hello.WantsActions,
		"events":   session.hello.WantsEvents,
	})
}

func (session *session) begin(message Message) error {
	start, err := newStart(message)
	if err != nil {
		return err
	}
	session.start = start
	if bot, wants := session.bot.(Starter); wants {
		return bot.Start(start)
	}
	return nil
}

func (session *session) act(message Message) error {
	if session.start == nil {
		return session.fail(errors.New("a question before any game"))
	}
	question, err := newQuestion(message, session.start)
	if err != nil {
		return session.fail(err)
	}
	choice, err := session.choose(question)
	if err != nil {
		return session.fail(err)
	}
	if err := session.line.Send(answer{question.ID, choice, text(question.Note)}); err != nil {
		return session.fail(err)
	}
	return nil
}

// choose asks the bot. It logs a panic with its trace, and returns it as an error with its place.
func (session *session) choose(question *Question) (choice Choice, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			place, trace := panicTrace()
			fmt.Fprintf(os.Stderr, "panic: %v\n%s", cause, trace)
			err = fmt.Errorf("panic: %v, at %s", cause, place)
		}
	}()
	choice, err = session.bot.Choose(question)
	if err == nil && choice == nil {
		err = errors.New(`choose: expected an action such as ["draw", 0], or its index, got nothing`)
	}
	return choice, err
}

// fail tells the referee that the bot cannot continue, and returns the error.
func (session *session) fail(err error) error {
	message := map[string]any{"t": "error", "text": text(err.Error())}
	return errors.Join(err, session.line.Send(message))
}

func (session *session) end(message Message) error {
	start := session.start
	session.start = nil
	bot, wants := session.bot.(Ender)
	if !wants || start == nil {
		return nil
	}
	end, err := newEnd(message, start)
	if err != nil {
		return err
	}
	return bot.End(end)
}

func (session *session) fault(message Message) error {
	fault, err := newFault(message)
	if err != nil {
		return err
	}
	if bot, wants := session.bot.(Faulter); wants {
		bot.Fault(fault)
	} else {
		fmt.Fprintf(os.Stderr, "fault: %s: %s\n", fault.Verdict, fault.Text)
	}
	return nil
}

// text turns any string into one that the protocol allows.
func text(any string) string { return strings.ToValidUTF8(any, "\uFFFD") }
