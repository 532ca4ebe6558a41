// Census plays Gargon for majorities: it counts what everybody has won, imagines how a play may
// end, and fights where the most cards of a colour can still change hands.
package main

import (
	"errors"
	"log"

	"arena/sdk"
	"arena/sdk/gargon"
)

// census is the bot, with what it knows of the game that it is in.
type census struct {
	rules gargon.Rules
	tally *tally
}

func main() {
	hello := sdk.Hello{Name: "census", Version: "1", WantsActions: true, WantsEvents: true}
	if err := sdk.Run(hello, new(census)); err != nil {
		log.Fatal(err)
	}
}

// Start begins a new count.
func (census *census) Start(start *sdk.Start) error {
	census.tally = newTally(start.Seats)
	return start.Rules.Decode(&census.rules)
}

// Choose takes the action that promises most.
func (census *census) Choose(question *sdk.Question) (sdk.Choice, error) {
	var view gargon.View
	var events []gargon.Event
	err := errors.Join(question.View.Decode(&view), question.Events.Decode(&events))
	if err != nil {
		return nil, err
	}
	census.tally.add(events)
	position := newPosition(&view, &census.rules, census.tally, question.Random())
	best, rate := position.best(question.Actions())
	question.Note = position.tell(question.Actions()[best], rate)
	return sdk.Index(best), nil
}
