package main

import (
	"fmt"
	"math"

	"arena/sdk"
	"arena/sdk/castors"
)

// Found by playing against other bots.
const (
	regret  = 2.0 // how much the own gain of another turn counts, against that of the others
	safety  = 0.2 // how much a point counts by which the own row is lower than the others
	margin  = 0.1 // how much a point counts by which it leads in the last deal
	resolve = 1.0 // how much all this must come to
)

// call ends the deal when the others have more to gain from playing on.
func (position *position) call() (sdk.Action, string) {
	view := position.view
	gain, row := 0.0, 0.0
	for seat := range view.Rows {
		if seat != view.Seat {
			gain += position.pileGain(seat) / float64(view.Seats()-1)
			row += position.sum(seat) / float64(view.Seats()-1)
		}
	}
	ownGain, ownRow := position.pileGain(view.Seat), position.sum(view.Seat)
	ready := gain - regret*ownGain + safety*(row-ownRow)
	if position.isFinal() {
		ready -= margin * position.behind()
	}
	note := fmt.Sprintf("row %.1f, others %.1f; a turn gains %.1f, others %.1f", ownRow, row, ownGain, gain)
	if ready > resolve {
		return castors.Call(), note
	}
	return castors.Wait(), note
}

// isFinal says whether the totals are decided in this deal.
func (position *position) isFinal() bool { return position.view.Deal == position.view.Deals-1 }

// behind is how many points the best of the others leads by; less than 0 if this seat leads.
func (position *position) behind() float64 {
	best := math.Inf(1)
	for seat := range position.view.Rows {
		if seat != position.view.Seat {
			best = min(best, position.stands(seat))
		}
	}
	return position.stands(position.view.Seat) - best
}

// stands is where a seat stands if nothing more happens.
func (position *position) stands(seat int) float64 {
	return position.sum(seat) + float64(position.view.Totals[seat])
}
