package tests

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"strings"
	"testing"

	"arena/sdk"
)

// programs are bots that this test runs as processes: the test itself, with the name in the
// environment.
var programs = map[string]sdk.Func{
	"chatty": func(*sdk.Question) (sdk.Choice, error) {
		fmt.Println("by fmt")
		fmt.Fprintln(os.NewFile(1, "descriptor 1"), "by descriptor")
		if rest, err := io.ReadAll(os.Stdin); len(rest) > 0 || err != nil {
			return nil, fmt.Errorf("read from stdin: %q, %w", rest, err)
		}
		return sdk.Index(2), nil
	},
	"panics": func(question *sdk.Question) (sdk.Choice, error) {
		return pick(question.Actions()), nil
	},
	"gives up": func(*sdk.Question) (sdk.Choice, error) {
		return nil, errors.New("no idea")
	},
	"says nothing": func(*sdk.Question) (sdk.Choice, error) { return nil, nil },
	"bad text": func(question *sdk.Question) (sdk.Choice, error) {
		question.Note = "caf\xe9"
		return sdk.Do("draw", 1), nil
	},
	"too long": func(question *sdk.Question) (sdk.Choice, error) {
		question.Note = strings.Repeat("n", 1<<20)
		return sdk.Index(0), nil
	},
	"by chance": func(question *sdk.Question) (sdk.Choice, error) {
		return sdk.Index(question.Random().IntN(1 << 30)), nil
	},
}

func pick(actions []sdk.Action) sdk.Action { return actions[99] }

func TestMain(m *testing.M) {
	choose, isBot := programs[os.Getenv("ARENA_TEST_BOT")]
	if !isBot {
		os.Exit(m.Run())
	}
	if err := sdk.Run(sdk.Hello{Name: "tested", WantsActions: true}, choose); err != nil {
		log.Fatal(err)
	}
}

// conversation is what a process has written when its stdin is closed.
type conversation struct {
	said   []any
	bytes  []byte
	stderr string
	code   int
}

// talk runs one of the programs and sends it messages.
func talk(t *testing.T, program string, sent ...any) conversation {
	t.Helper()
	var input, output, errors bytes.Buffer
	line := sdk.NewLine(nil, &input)
	for _, message := range sent {
		if err := line.Send(message); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(os.Args[0])
	command.Env = []string{"ARENA_TEST_BOT=" + program}
	command.Stdin, command.Stdout, command.Stderr = &input, &output, &errors
	if err := command.Run(); err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	return conversation{messages(t, output.Bytes()), output.Bytes(), errors.String(), command.ProcessState.ExitCode()}
}

type message = map[string]any

var (
	hello = message{"t": "hello", "protocol": []int{1, 0}, "arena": "1", "games": message{}, "limits": message{}}
	start = message{
		"t": "start", "number": 0, "game": "castors", "rules": message{"laps": 1}, "seat": 0, "seats": 2,
		"seed": 1, "clock": message{"decision": 100, "bank": 1000, "start": 1000},
	}
	act = message{
		"t": "act", "id": 1, "kind": "call", "view": message{}, "bank": 1000,
		"actions": []any{[]any{"call"}, []any{"wait"}},
	}
)

// answer is the program's answer to the question, without its hello.
func (talked conversation) answer(t *testing.T) message {
	t.Helper()
	if len(talked.said) != 2 {
		t.Fatalf("said %v, expected hello and an answer; stderr: %s", talked.said, talked.stderr)
	}
	return talked.said[1].(message)
}

// All prints go to stderr, and only the SDK reads stdin.
func TestPrintsGoToStderr(t *testing.T) {
	waiting := message{"t": "later", "fills the pipe": strings.Repeat("-", 200_000)}
	talked := talk(t, "chatty", hello, start, act, waiting, act)
	if len(talked.said) != 3 || talked.code != 0 {
		t.Errorf("said %v, exit code %d", talked.said, talked.code)
	}
	if talked.stderr != strings.Repeat("by fmt\nby descriptor\n", 2) {
		t.Errorf("on stderr: %q", talked.stderr)
	}
}

// A panic is reported to the referee in one line, and with its trace on stderr.
func TestPanicIsTold(t *testing.T) {
	const panicText = "panic: runtime error: index out of range [99] with length 2, at program_test.go:48"
	talked := talk(t, "panics", hello, start, act)
	answer := talked.answer(t)
	if answer["t"] != "error" || answer["text"] != panicText {
		t.Errorf("said %v", answer)
	}
	if talked.code != 1 || !strings.Contains(talked.stderr, "tests.pick") {
		t.Errorf("exit code %d, stderr: %s", talked.code, talked.stderr)
	}
}

// A bot's error is told to the referee, and ends the process.
func TestErrorIsTold(t *testing.T) {
	for program, text := range map[string]string{
		"gives up":     "no idea",
		"says nothing": `choose: expected an action such as ["draw", 0], or its index, got nothing`,
	} {
		talked := talk(t, program, hello, start, act)
		answer := talked.answer(t)
		if answer["t"] != "error" || answer["text"] != text {
			t.Errorf("%s: said %v", program, answer)
		}
		if talked.code != 1 || !strings.Contains(talked.stderr, text) {
			t.Errorf("%s: exit code %d, stderr: %s", program, talked.code, talked.stderr)
		}
	}
}

// A note that is not UTF-8 is repaired, as it would be a fault.
func TestNotesAreUTF8(t *testing.T) {
	talked := talk(t, "bad text", hello, start, act)
	answer := talked.answer(t)
	if !bytes.Contains(talked.bytes, []byte("caf\uFFFD")) {
		t.Errorf("said %v", answer)
	}
	if action := fmt.Sprint(answer["a"]); action != "[draw 1]" {
		t.Errorf("chose %s", action)
	}
}

// A message that is too long for a frame is not sent, and the author is told why.
func TestTooLongAMessage(t *testing.T) {
	answer := talk(t, "too long", hello, start, act).answer(t)
	if answer["t"] != "error" || !strings.Contains(answer["text"].(string), "at most 1048576") {
		t.Errorf("said %v", answer)
	}
}

// A bot refuses a referee of another major version.
func TestOtherMajorVersion(t *testing.T) {
	talked := talk(t, "chatty", message{"t": "hello", "protocol": []int{2, 0}})
	if text := fmt.Sprint(talked.said); !strings.Contains(text, "this bot speaks protocol 1.0, the referee [2 0]") {
		t.Errorf("said %s", text)
	}
}

// A frame above the limit is refused with a clear error, before it is read.
func TestTooLongAFrame(t *testing.T) {
	line := sdk.NewLine(bytes.NewReader([]byte{0, 0x10, 0, 1}), nil)
	if _, err := line.Receive(); err == nil || err.Error() != "a frame of 1048577 bytes; at most 1048576 are allowed" {
		t.Error(err)
	}
}

// The same seed gives the same numbers, in every process and in every later version.
func TestChanceFromTheSeed(t *testing.T) {
	answer := talk(t, "by chance", hello, start, act).answer(t)
	if index := answer["i"].(float64); index != 736962819 {
		t.Errorf("the first number from the seed 1 is %v", index)
	}
}

// What a bot keeps of a question does not change when the next one comes.
func TestQuestionsCanBeKept(t *testing.T) {
	var frames []io.Reader
	for _, message := range []message{start, withView("first"), withView("other")} {
		var frame bytes.Buffer
		if err := sdk.NewLine(nil, &frame).Send(message); err != nil {
			t.Fatal(err)
		}
		frames = append(frames, &frame)
	}
	var kept []sdk.Raw
	keep := func(question *sdk.Question) (sdk.Choice, error) {
		kept = append(kept, question.View)
		return sdk.Index(0), nil
	}
	line := sdk.NewLine(io.MultiReader(frames...), io.Discard)
	if err := sdk.RunOn(line, sdk.Hello{}, sdk.Func(keep)); err != nil {
		t.Fatal(err)
	}
	if first, err := kept[0].Value(); first != "first" || err != nil {
		t.Errorf("kept %v", first)
	}
}

func withView(view string) message {
	return message{"t": "act", "id": 1, "kind": "turn", "view": view, "bank": 1}
}
