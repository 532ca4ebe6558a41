// Package sdk is the arena's SDK for bots in Go.
//
// A bot is a function that returns a choice for each question:
//
//	func choose(question *sdk.Question) (sdk.Choice, error) {
//		return sdk.Index(0), nil
//	}
//
//	func main() {
//		hello := sdk.Hello{Name: "first", WantsActions: true}
//		if err := sdk.Run(hello, sdk.Func(choose)); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// or a type that implements [Bot], and optionally [Starter], [Ender] or [Faulter]. The packages
// gargon and castors have the views, events, rules and actions of the games.
package sdk

// Version is the version of this package.
const Version = "1.0.0"

// The version of the protocol that this package speaks.
const (
	Major = 1
	Minor = 0
)

// Hello has a bot's name and version, and what it wants to be sent with every question. The
// referee does not compute what a bot does not want.
type Hello struct {
	Name         string
	Version      string
	WantsActions bool // the list of legal actions
	WantsEvents  bool // what has happened since it was last asked
}

// Bot chooses among the legal actions. If it returns an error, the referee is sent the text, and
// the process ends.
type Bot interface {
	Choose(question *Question) (Choice, error)
}

// Func is a bot that consists of a function.
type Func func(question *Question) (Choice, error)

// Choose calls the function.
func (choose Func) Choose(question *Question) (Choice, error) { return choose(question) }

// Starter is a [Bot] that is told when a game begins.
type Starter interface {
	Start(start *Start) error
}

// Ender is a [Bot] that is told when a game has ended. Nothing of that game may influence the
// next one.
type Ender interface {
	End(end *End) error
}

// Faulter is a [Bot] that is told why it is out of a game. For other bots the fault is logged.
type Faulter interface {
	Fault(fault *Fault)
}
