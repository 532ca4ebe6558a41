// Package gargon has what Gargon shows and what can be done in it.
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

// CardName is a card in words: "red 9".
func CardName(card int) string { return fmt.Sprintf("%s %d", ColourName(Colour(card)), Value(card)) }

// Copies is how many there are of a card: two of each zero, else one.
func Copies(card int) int {
	if Value(card) == 0 {
		return 2
	}
	return 1
}

// Counts is how many cards there are of each colour.
type Counts [Colours]int

// Count counts cards by colour.
func Count(cards []int) Counts {
	var counts Counts
	for _, card := range cards {
		counts[Colour(card)]++
	}
	return counts
}

// Shape is the shape of a play: how many cards it has of one colour, most first.
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

// Amulets is how many amulets a card has under the rules of a game.
func Amulets(card int, rules *Rules) int {
	if at := Value(card) - 1; at >= 0 && at < len(rules.Amulets) {
		return rules.Amulets[at]
	}
	return 0
}
