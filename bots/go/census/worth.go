package main

import (
	"math"
	"slices"
)

const (
	bonus = 10  // points for the most cards of a colour
	envy  = 0.5 // what the others gain counts for so much against the own gain
)

// outlook is what is still to come in a colour.
type outlook struct {
	swing   float64 // by how many cards a lead can change until the end, more or less
	amulets float64 // how many amulets a seat can hope to win yet
}

// worth is what a seat can expect of a colour, given the piles of all.
func (outlook outlook) worth(piles []pile, seat int) float64 {
	own := piles[seat]
	points := (float64(own.amulets) + outlook.amulets) * float64(int(1)<<own.zeros)
	odds := 1.0
	for other, pile := range piles {
		if other != seat {
			odds *= 1 + math.Exp(float64(pile.cards-own.cards)/outlook.swing)
		}
	}
	return points + bonus/odds
}

// holding is a colour as it stands: all piles, and what each is worth to its seat.
type holding struct {
	outlook outlook
	piles   []pile
	worths  []float64
	another *float64 // what one more card is worth, once it was asked for
}

func newHolding(piles []pile, outlook outlook) holding {
	worths := make([]float64, len(piles))
	for seat := range piles {
		worths[seat] = outlook.worth(piles, seat)
	}
	return holding{outlook: outlook, piles: piles, worths: worths}
}

// gain is what a change of the piles is worth to a seat: its own gain, less a share of what the
// others gain on average.
func (holding *holding) gain(seat int, change func(piles []pile)) float64 {
	after := slices.Clone(holding.piles)
	change(after)
	gained := 0.0
	for other, before := range holding.worths {
		more := holding.outlook.worth(after, other) - before
		if other == seat {
			gained += more
		} else {
			gained -= envy * more / float64(len(after)-1)
		}
	}
	return gained
}
