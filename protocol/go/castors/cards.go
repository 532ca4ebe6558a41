// Package castors has the views, events, rules, actions and cards of Gang de Castors.
//
// A card is an integer: 0 to 9 is its value; 10 to 12 are the three special cards.
package castors

import "strconv"

// The special cards, and the value for a card that cannot be known.
const (
	Nine     = 9
	SwapCard = 10
	PeekCard = 11
	DrawCard = 12
	Unknown  = -1
)

// Kinds is the number of different cards, Row the number of cards in a row.
const (
	Kinds = 13
	Row   = 4
)

// IsSpecial reports whether a card is one of the three action cards.
func IsSpecial(card int) bool { return card > Nine }

// Value is the value of a card; action cards and unknown ones have none.
func Value(card int) (value int, has bool) {
	if card == Unknown || IsSpecial(card) {
		return 0, false
	}
	return card, true
}

// CardName returns the name of a card: "5", or "swap".
func CardName(card int) string {
	switch card {
	case SwapCard:
		return "swap"
	case PeekCard:
		return "peek"
	case DrawCard:
		return "draw"
	case Unknown:
		return "unknown"
	}
	return strconv.Itoa(card)
}

// Pool is the number of each card among cards that a seat cannot tell apart.
type Pool [Kinds]int

// Size is the number of cards.
func (pool *Pool) Size() int {
	size := 0
	for _, count := range pool {
		size += count
	}
	return size
}

// Odds is the probability of each card; all are 0 if the pool is empty.
func (pool *Pool) Odds() [Kinds]float64 {
	var odds [Kinds]float64
	size := pool.Size()
	for card, count := range pool {
		if count > 0 {
			odds[card] = float64(count) / float64(size)
		}
	}
	return odds
}

// MeanValue is the mean of its value cards, 0 if there are none.
func (pool *Pool) MeanValue() float64 {
	points, cards := 0, 0
	for card, count := range pool[:Nine+1] {
		points += card * count
		cards += count
	}
	if cards == 0 {
		return 0
	}
	return float64(points) / float64(cards)
}
