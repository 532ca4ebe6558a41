// Package sdk is what a Go bot imports to play in the arena.
//
// A bot is a function that is asked for a choice:
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
// or a type that implements [Bot], and [Starter], [Ender] or [Faulter] if it wants to know
// more. The packages gargon and castors have what the games show and what can be done in them.
package sdk

// Version is this package's own.
const Version = "1.0.0"

// The version of the protocol that is spoken here.
const (
	Major = 1
	Minor = 0
)

// Hello is how a bot introduces itself, and what it wants to be sent with every question. What
// it does not want costs nobody any time.
type Hello struct {
	Name         string
	Version      string
	WantsActions bool // the list of legal actions
	WantsEvents  bool // what has happened since it was last asked
}

// Bot chooses among the legal actions. An error says that it cannot go on: the referee is told
// the text, and the process ends.
type Bot interface {
	Choose(question *Question) (Choice, error)
}

// Func is a bot that is nothing but a function.
type Func func(question *Question) (Choice, error)

// Choose calls the function.
func (choose Func) Choose(question *Question) (Choice, error) { return choose(question) }

// Starter is a [Bot] that wants to know when a game begins.
type Starter interface {
	Start(start *Start) error
}

// Ender is a [Bot] that wants to know when a game has ended. Nothing of that game may influence
// the next one.
type Ender interface {
	End(end *End) error
}

// Faulter is a [Bot] that wants to know why it is out of a game. Of others the fault is logged.
type Faulter interface {
	Fault(fault *Fault)
}
