package main

import (
	"fmt"
	"slices"

	"arena/sdk"
	"arena/sdk/castors"
)

// Found by playing against other bots.
const (
	again   = 1.5 // what a draw card gains, of what a draw gains
	curious = 0.6 // what it gains to know one more card
	showing = 0.3 // what it costs that all see a card that was taken
)

// decide chooses an action, and says why.
func (position *position) decide(kind string) (sdk.Action, string) {
	switch kind {
	case castors.KindTurn:
		return position.turn()
	case castors.KindCard:
		return position.use(*position.view.Drawn)
	default:
		return position.call()
	}
}

// turn takes the open card if it gains more than the pile does on average.
func (position *position) turn() (sdk.Action, string) {
	seat := position.view.Seat
	open := position.view.TopDiscard()
	taken, drawn := position.gain(seat, open), position.pileGain(seat)
	if !position.last {
		taken -= showing
	} else if position.isFinal() {
		return position.brink(taken, drawn)
	}
	note := fmt.Sprintf("open %s gains %.1f, the pile %.1f", castors.CardName(open), taken, drawn)
	return position.take(taken > drawn), note
}

// brink is the last turn of the game: what counts is not the mean, but the chance to get ahead.
func (position *position) brink(taken, drawn float64) (sdk.Action, string) {
	needed := position.behind()
	chance := 0.0
	for card, odds := range position.view.PilePool().Odds() {
		if position.gain(position.view.Seat, card) > needed {
			chance += odds
		}
	}
	note := fmt.Sprintf("needs %.1f: the open card gains %.1f, the pile enough at %.0f %%", needed, taken, 100*chance)
	switch {
	case taken > needed && chance < 1:
		return position.take(true), note
	case taken <= needed && chance > 0:
		return position.take(false), note
	}
	return position.take(taken > drawn), note
}

func (position *position) take(open bool) sdk.Action {
	if open {
		return castors.Take(position.worst(position.view.Seat))
	}
	return castors.Draw()
}

// use makes the best of the drawn card.
func (position *position) use(card int) (sdk.Action, string) {
	seat := position.view.Seat
	gain, pile := position.gain(seat, card), position.pileGain(seat)
	note := fmt.Sprintf("%s gains %.1f, the pile %.1f", castors.CardName(card), gain, pile)
	switch {
	case card == castors.DrawCard:
		return castors.Draw(), note
	case position.view.Rejectable && pile > gain:
		return castors.Reject(), note
	case gain <= 0:
		return castors.Discard(), note
	case card == castors.SwapCard:
		other, at := position.lowest(seat)
		return castors.Swap(position.worst(seat), other, at), note
	case card == castors.PeekCard:
		return castors.Peek(position.blind(seat)), note
	}
	return castors.Keep(position.worst(seat)), note
}

// gain is by how much a seat can lower its row with a card.
func (position *position) gain(seat, card int) float64 {
	worst := position.brings[seat][position.worst(seat)]
	switch card {
	case castors.SwapCard:
		other, at := position.lowest(seat)
		return max(0, worst-position.brings[other][at])
	case castors.PeekCard:
		if position.last || position.blind(seat) < 0 {
			return 0
		}
		return curious
	case castors.DrawCard:
		return again * position.plainGain(seat)
	}
	return max(0, worst-float64(card))
}

// pileGain is what a draw from the pile gains a seat on average.
func (position *position) pileGain(seat int) float64 {
	draw := position.view.PilePool().Odds()[castors.DrawCard]
	return position.plainGain(seat) * (1 + draw*again)
}

// plainGain leaves out what draw cards lead to.
func (position *position) plainGain(seat int) float64 {
	total := 0.0
	for card, odds := range position.view.PilePool().Odds() {
		if card != castors.DrawCard {
			total += odds * position.gain(seat, card)
		}
	}
	return total
}

// blind is a place of a row whose card its owner does not know, -1 if there is none.
func (position *position) blind(seat int) int {
	return slices.IndexFunc(position.view.KnownBy[seat][:], func(known int) bool {
		return known>>seat&1 == 0
	})
}
