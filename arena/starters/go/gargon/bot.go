// A first bot for Gargon: it plays the cards with the highest expected points.
package main

import (
	"errors"
	"log"
	"math"

	"arena/sdk"
	"arena/sdk/gargon"
)

const (
	majority = 4.0 // value of a won card for the bonus for most cards of its colour
	zero     = 8.0 // value of a won 0, as it doubles the amulets of its colour
	pass     = 1.5 // draw cards rather than play for less than this
)

func main() {
	hello := sdk.Hello{Name: "my-bot", Version: "1", WantsActions: true}
	if err := sdk.Run(hello, sdk.Func(choose)); err != nil {
		log.Fatal(err)
	}
}

// choose decodes the view of this seat, and returns the index of the best legal action.
func choose(question *sdk.Question) (sdk.Choice, error) {
	var view gargon.View
	var rules gargon.Rules
	err := errors.Join(question.View.Decode(&view), question.Start.Rules.Decode(&rules))
	if err != nil {
		return nil, err
	}
	return best(question.Actions(), &view, &rules), nil
}

// best returns the index of the action with the highest rate.
func best(actions []sdk.Action, view *gargon.View, rules *gargon.Rules) sdk.Index {
	chosen, highest := 0, math.Inf(-1)
	for at, action := range actions {
		if rate := rate(action, view, rules); rate > highest {
			chosen, highest = at, rate
		}
	}
	return sdk.Index(chosen)
}

// rate rates an action; `arena game show gargon` lists the actions.
func rate(action sdk.Action, view *gargon.View, rules *gargon.Rules) float64 {
	switch action.Verb {
	case "play":
		rate := 0.0
		for _, card := range action.Args {
			rate += worth(card, rules) * chance(card, view)
		}
		return rate
	case "pass":
		return pass + 0.1*float64(action.Args[0]+action.Args[1])
	case "battle":
		return rateBattle(action.Args[0], view)
	default:
		return rateDraw(action.Args[0], view)
	}
}

// rateBattle prefers the colour of the bot's highest card.
func rateBattle(colour int, view *gargon.View) float64 {
	highest := 0
	for _, card := range view.Table[view.Seat] {
		if gargon.Colour(card) == colour {
			highest = max(highest, gargon.Value(card))
		}
	}
	return float64(highest)
}

// rateDraw prefers the colour in which most cards were won already.
func rateDraw(stack int, view *gargon.View) float64 {
	won := gargon.Count(view.Won[view.Seat])
	return float64(won[view.Stacks[stack][0]])
}

// worth is the points that a won card brings: its amulets, and a share of the majority.
func worth(card int, rules *gargon.Rules) float64 {
	if gargon.Value(card) == 0 {
		return zero
	}
	return majority + float64(gargon.Amulets(card, rules))
}

// chance is the probability that a card wins: 1 if it is alone, else higher for higher cards.
func chance(card int, view *gargon.View) float64 {
	colour := gargon.Colour(card)
	rivals := 0.0
	for seat, played := range view.Played {
		if seat != view.Seat {
			rivals += float64(played[colour])
		}
	}
	for _, seat := range view.SeatsAfter() {
		if view.Hands[seat][colour] > 0 {
			rivals += 0.5 // it has yet to play, and may choose this colour
		}
	}
	return math.Pow(float64(gargon.Value(card))/16, rivals)
}
