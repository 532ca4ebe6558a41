package main

import (
	"slices"

	"arena/sdk/gargon"
)

// tally is what everybody has won so far. The view shows only the own pile, but all cards are
// turned up when they are won.
type tally struct {
	won [][]int
}

func newTally(seats int) *tally { return &tally{make([][]int, seats)} }

// add takes note of what has happened.
func (tally *tally) add(events []gargon.Event) {
	for _, event := range events {
		switch event.Event {
		case "won":
			tally.won[event.Seat] = append(tally.won[event.Seat], event.Cards...)
		case "fought":
			if at := slices.Index(event.Seats, event.Winner); at >= 0 {
				tally.won[event.Winner] = append(tally.won[event.Winner], event.Cards[at])
			}
		}
	}
}

// piles are what everybody has won, colour by colour.
func (tally *tally) piles(rules *gargon.Rules) [gargon.Colours][]pile {
	var piles [gargon.Colours][]pile
	for colour := range piles {
		piles[colour] = make([]pile, len(tally.won))
	}
	for seat, cards := range tally.won {
		for _, card := range cards {
			piles[gargon.Colour(card)][seat].add(card, rules)
		}
	}
	return piles
}

// pile is what somebody has won of a colour: cards, the amulets on them, and zeros.
type pile struct {
	cards, amulets, zeros int
}

func (pile *pile) add(card int, rules *gargon.Rules) {
	pile.cards++
	pile.amulets += gargon.Amulets(card, rules)
	if gargon.Value(card) == 0 {
		pile.zeros++
	}
}

// hidden are the values of each colour that this seat has not seen anywhere.
func hidden(view *gargon.View, tally *tally) [gargon.Colours][]int {
	var copies [gargon.Colours << 4]int
	for card := range copies {
		copies[card] = gargon.Copies(card)
	}
	seen := append([][]int{view.Hand, view.Discards}, tally.won...)
	for _, cards := range append(seen, view.Table...) {
		for _, card := range cards {
			copies[card]--
		}
	}
	var values [gargon.Colours][]int
	for card, left := range copies {
		for range left {
			colour := gargon.Colour(card)
			values[colour] = append(values[colour], gargon.Value(card))
		}
	}
	return values
}
