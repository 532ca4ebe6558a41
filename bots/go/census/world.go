package main

import (
	"math/rand/v2"
	"slices"

	"arena/sdk/gargon"
)

const passes = 0.25 // how often a seat that could play passes

// world is one way in which the hidden cards may lie, with what the others play from them.
type world struct {
	view   *gargon.View
	left   [gargon.Colours][]int   // values that nobody has got yet
	table  [gargon.Colours][][]int // the values before each seat, by colour
	chance *rand.Rand
}

func newWorld(view *gargon.View, hidden *[gargon.Colours][]int, chance *rand.Rand) *world {
	world := &world{view: view, chance: chance}
	for colour, values := range hidden {
		world.left[colour] = slices.Clone(values)
		world.table[colour] = make([][]int, view.Seats())
	}
	for seat, counts := range view.Played {
		if seat == view.Seat {
			continue
		}
		for colour, count := range counts {
			world.deal(seat, colour, count, count)
		}
	}
	return world
}

// deal gives a seat so many values of a colour, of which it plays the best.
func (world *world) deal(seat, colour, held, played int) {
	left := world.left[colour]
	held = min(held, len(left))
	for at := range held {
		other := at + world.chance.IntN(len(left)-at)
		left[at], left[other] = left[other], left[at]
	}
	values := slices.Clone(left[:held])
	slices.SortFunc(values, func(one, other int) int { return other - one })
	world.table[colour][seat] = append(world.table[colour][seat], values[:min(played, held)]...)
	world.left[colour] = left[held:]
}

// play puts the own cards on the table, and lets those who come after answer in their turn.
func (world *world) play(cards []int, shape []int) {
	for _, card := range cards {
		values := &world.table[gargon.Colour(card)][world.view.Seat]
		*values = append(*values, gargon.Value(card))
	}
	after := world.view.SeatsAfter()
	for at, seat := range after {
		if world.chance.Float64() >= passes {
			world.follow(seat, shape, at == len(after)-1)
		}
	}
	for colour := range world.table {
		for _, values := range world.table[colour] {
			slices.SortFunc(values, func(one, other int) int { return other - one })
		}
	}
}

// follow lets a seat play some colours of its hand in this shape, if it can.
func (world *world) follow(seat int, shape []int, last bool) {
	var chosen [gargon.Colours]bool
	var colours []int
	for _, count := range shape {
		colour := world.pick(seat, count, last, &chosen)
		if colour < 0 {
			return
		}
		chosen[colour] = true
		colours = append(colours, colour)
	}
	for at, colour := range colours {
		world.deal(seat, colour, world.view.Hands[seat][colour], shape[at])
	}
}

// pick chooses a colour of which the seat has enough, the more likely the more it has; -1 if
// there is none.
func (world *world) pick(seat, count int, last bool, chosen *[gargon.Colours]bool) int {
	var weights [gargon.Colours]int
	total := 0
	for colour, held := range world.view.Hands[seat] {
		if held < count || chosen[colour] || (last && !world.lies(colour)) {
			continue
		}
		weights[colour] = held
		total += held
	}
	if total == 0 {
		return -1
	}
	at := world.chance.IntN(total)
	for colour, weight := range weights {
		if at -= weight; at < 0 {
			return colour
		}
	}
	return -1
}

// lies says whether a colour is on the table.
func (world *world) lies(colour int) bool {
	return slices.ContainsFunc(world.table[colour], func(values []int) bool { return len(values) > 0 })
}

// fight resolves a colour as the rules say: who is alone wins all, else the highest cards fight.
// It gives what each seat wins.
func fight(values [][]int) [][]int {
	won := make([][]int, len(values))
	values = slices.Clone(values)
	for {
		winner, rivals := -1, 0
		for seat, own := range values {
			if len(own) == 0 {
				continue
			}
			rivals++
			if winner < 0 || own[0] > values[winner][0] {
				winner = seat
			}
		}
		if rivals == 0 {
			return won
		}
		if rivals == 1 {
			won[winner] = append(won[winner], values[winner]...)
			return won
		}
		if values[winner][0] > 0 {
			won[winner] = append(won[winner], values[winner][0])
		}
		for seat, own := range values {
			if len(own) > 0 {
				values[seat] = own[1:]
			}
		}
	}
}
