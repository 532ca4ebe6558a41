package sdk

import (
	"errors"
	"fmt"
	"math/rand/v2"
)

// Start is the start of a game: the game, its rules, and this bot's seat.
type Start struct {
	Number int    // the number of the game
	Game   string // its name
	Rules  Raw    // all options of the game with their values
	Seat   int    // this bot's seat
	Seats  int    // how many there are
	Seed   uint32 // this bot's own seed for this game
	Clock  Clock

	random *rand.Rand
}

// Clock is the time that a bot has, in milliseconds.
type Clock struct {
	Decision int `msgpack:"decision"` // for each decision
	Bank     int `msgpack:"bank"`     // for longer decisions in a game
	Start    int `msgpack:"start"`    // from the start of the process to its hello
}

// Random returns the random generator of this game; the same seed gives the same numbers.
func (start *Start) Random() *rand.Rand {
	if start.random == nil {
		start.random = rand.New(rand.NewPCG(uint64(start.Seed), 0))
	}
	return start.random
}

func newStart(message Message) (*Start, error) {
	start := &Start{Rules: message.Get("rules")}
	return start, errors.Join(
		message.take("number", &start.Number),
		message.take("game", &start.Game),
		message.take("seat", &start.Seat),
		message.take("seats", &start.Seats),
		message.take("seed", &start.Seed),
		message.take("clock", &start.Clock),
	)
}

// Question is a decision to make.
type Question struct {
	ID         int
	Kind       string // the kind of decision
	View       Raw    // what this seat sees; the game's package has a View for it
	FirstEvent int    // the number of the first of the events
	Events     Raw    // what has happened since the last question, if the bot wants it
	Bank       int    // the rest of the game's bank, in milliseconds
	Start      *Start // the game
	Note       string // a remark of the bot's, shown in replays

	listed  Raw
	actions []Action
}

// Actions returns the legal actions in canonical order, none if the bot does not want them. The
// list is decoded at the first call.
func (question *Question) Actions() []Action {
	if question.actions == nil {
		actions, err := readActions(question.listed)
		if err != nil {
			panic(fmt.Errorf("act.actions: %w", err)) // the referee's error, reported as a panic
		}
		question.actions = actions
	}
	return question.actions
}

// Count returns the number of legal actions, 0 if the bot does not want them.
func (question *Question) Count() int {
	size, _, err := arraySize(question.listed)
	if err != nil {
		return 0
	}
	return size
}

// Random returns the random generator of this game.
func (question *Question) Random() *rand.Rand { return question.Start.Random() }

func newQuestion(message Message, start *Start) (*Question, error) {
	question := &Question{
		View:   message.Get("view"),
		Events: message.Get("events"),
		listed: message.Get("actions"),
		Start:  start,
	}
	err := errors.Join(
		message.take("id", &question.ID),
		message.take("kind", &question.Kind),
		message.take("bank", &question.Bank),
		message.Get("first_event").Decode(&question.FirstEvent),
	)
	return question, err
}

// End is the end of a game. All lists are by seat.
type End struct {
	Scores     []int
	Places     []int    // 1 the best; equal results share the better place
	Verdicts   []string // "finished", or the code of a fault
	FirstEvent int      // the number of the first of the events
	Events     Raw      // what has happened since the last question, if the bot wants it
	Start      *Start   // the game
}

func newEnd(message Message, start *Start) (*End, error) {
	end := &End{Events: message.Get("events"), Start: start}
	return end, errors.Join(
		message.take("scores", &end.Scores),
		message.take("places", &end.Places),
		message.take("verdicts", &end.Verdicts),
		message.take("first_event", &end.FirstEvent),
	)
}

// Fault is a failure of this bot, which is out of the game.
type Fault struct {
	Verdict  string // the code of the fault
	Text     string // what was wrong, and where
	Decision int    // how many decisions all seats had taken in this game before it
	Follows  string // the consequences of the fault
}

func newFault(message Message) (*Fault, error) {
	fault := new(Fault)
	return fault, errors.Join(
		message.take("verdict", &fault.Verdict),
		message.take("text", &fault.Text),
		message.take("decision", &fault.Decision),
		message.take("follows", &fault.Follows),
	)
}
