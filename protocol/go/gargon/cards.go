// Package gargon has the views, events, rules, actions and cards of Gargon.
//
// A card is an integer, colour * 16 + value; the two zeros of a colour are the same number.
package gargon

import (
	"fmt"
	"slices"
)

// Colours is the number of colours, Highest the highest value of a card.
const (
	Colours = 6
	Highest = 15
)

var colourNames = [Colours]string{"white", "blue", "violet", "red", "yellow", "green"}

// Colour is the colour of a card, from 0.
func Colour(card int) int { return card >> 4 }

// Value is the value of a card, 0 to 15.
func Value(card int) int { return card & 15 }

// Card is the card of a colour and a value.
func Card(colour, value int) int { return colour<<4 | value }

// ColourName is the name of a colour: "red".
func ColourName(colour int) string { return colourNames[colour] }

// CardName returns the name of a card: "red 9".
func CardName(card int) string { return fmt.Sprintf("%s %d", ColourName(Colour(card)), Value(card)) }

// Copies is the number of copies of a card: two of each zero, else one.
func Copies(card int) int {
	if Value(card) == 0 {
		return 2
	}
	return 1
}

// Counts is the number of cards of each colour.
type Counts [Colours]int

// Count counts cards by colour.
func Count(cards []int) Counts {
	var counts Counts
	for _, card := range cards {
		counts[Colour(card)]++
	}
	return counts
}

// Shape is the shape of a play: the number of cards of each colour, most first.
func Shape(cards []int) []int {
	var shape []int
	for _, count := range Count(cards) {
		if count > 0 {
			shape = append(shape, count)
		}
	}
	slices.SortFunc(shape, func(one, other int) int { return other - one })
	return shape
}

// Amulets is the number of amulets on a card under the rules of a game.
func Amulets(card int, rules *Rules) int {
	if at := Value(card) - 1; at >= 0 && at < len(rules.Amulets) {
		return rules.Amulets[at]
	}
	return 0
}
