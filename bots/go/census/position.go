package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"arena/sdk"
	"arena/sdk/gargon"
)

// Found by playing against other bots.
const (
	glance    = 3   // how many ways to lie are imagined for the hidden cards at first
	worlds    = 16  // and how many for the plays that promise most then
	promising = 16  // how many of these there are
	drawing   = 0.6 // what a drawn card is worth, of what its colour is worth on the table
	passing   = 1.0 // what it is worth to wait
	saving    = 2.0 // what the highest card is worth in hand, of what its colour is worth on the table
	nearest   = 0.4 // by how many cards a lead can change in any case
	swinging  = 0.5 // how that grows with the cards that are still to come
	hoping    = 0.6 // what share of the amulets to come, divided by seats, a seat can hope for
	reference = 2   // amulets on a card that is not known yet
)

// position is what there is to decide on.
type position struct {
	view    *gargon.View
	rules   *gargon.Rules
	colours [gargon.Colours]holding
	hidden  [gargon.Colours][]int // values of the cards that were not seen yet
	rest    float64               // how much of the game is left, from 1 down to 0
	seed    uint64
}

func newPosition(view *gargon.View, rules *gargon.Rules, tally *tally, chance *rand.Rand) *position {
	full := float64(102-10*view.Seats()) / 2
	position := &position{
		view:   view,
		rules:  rules,
		hidden: hidden(view, tally),
		rest:   float64(min(len(view.Stacks[0]), len(view.Stacks[1]))) / full,
		seed:   chance.Uint64(),
	}
	piles := tally.piles(rules)
	for colour, values := range position.hidden {
		toCome := pile{}
		for _, value := range values {
			toCome.add(gargon.Card(colour, value), rules)
		}
		for _, card := range view.Hand {
			if gargon.Colour(card) == colour {
				toCome.add(card, rules)
			}
		}
		position.colours[colour] = newHolding(piles[colour], outlook{
			swing:   nearest + swinging*math.Sqrt(float64(toCome.cards)*position.rest),
			amulets: hoping * float64(toCome.amulets) * position.rest / float64(view.Seats()),
		})
	}
	return position
}

// best is the place of the action that promises most, and what it promises.
func (position *position) best(actions []sdk.Action) (best int, rate float64) {
	places := make([]int, len(actions))
	for at := range places {
		places[at] = at
	}
	if len(actions) > promising {
		rates := position.rates(actions, places, glance)
		slices.SortStableFunc(places, func(one, other int) int {
			return cmp.Compare(rates[other], rates[one])
		})
		places = places[:promising]
	}
	rates := position.rates(actions, places, worlds)
	best = places[0]
	for _, at := range places {
		if rates[at] > rates[best] {
			best = at
		}
	}
	return best, rates[best]
}

// rates are what the actions at some places promise, in as many worlds.
func (position *position) rates(actions []sdk.Action, places []int, worlds int) []float64 {
	rates := make([]float64, len(actions))
	for _, at := range places {
		rates[at] = position.rate(actions[at], worlds)
	}
	return rates
}

// rate is what an action promises, in points.
func (position *position) rate(action sdk.Action, worlds int) float64 {
	switch action.Verb {
	case "play":
		return position.ratePlay(action.Args, worlds)
	case "pass":
		return position.ratePass(action.Args[0], action.Args[1])
	case "battle":
		return float64(position.highest(action.Args[0]))
	default:
		return position.another(position.view.Stacks[action.Args[0]][0])
	}
}

// ratePlay is the mean gain over the imagined worlds, less what the cards are worth in hand. All
// plays meet the same chance.
func (position *position) ratePlay(cards []int, worlds int) float64 {
	chance := rand.New(rand.NewPCG(position.seed, 0))
	shape := gargon.Shape(cards)
	total := 0.0
	for range worlds {
		world := newWorld(position.view, &position.hidden, chance)
		world.play(cards, shape)
		for colour, values := range world.table {
			if world.lies(colour) {
				total += position.gain(colour, fight(values))
			}
		}
	}
	total /= float64(worlds)
	for _, card := range cards {
		strength := float64(gargon.Value(card)) / gargon.Highest
		total -= saving * position.rest * strength * strength * position.another(gargon.Colour(card))
	}
	return total
}

// ratePass is what the drawn colours promise.
func (position *position) ratePass(amounts ...int) float64 {
	total := passing
	for stack, amount := range amounts {
		for _, colour := range position.view.Stacks[stack][:amount] {
			total += drawing * position.rest * position.another(colour)
		}
	}
	return total
}

// highest is the highest own card of a colour on the table.
func (position *position) highest(colour int) int {
	highest := 0
	for _, card := range position.view.Table[position.view.Seat] {
		if gargon.Colour(card) == colour {
			highest = max(highest, gargon.Value(card))
		}
	}
	return highest
}

// gain is what the end of a battle is worth.
func (position *position) gain(colour int, won [][]int) float64 {
	return position.colours[colour].gain(position.view.Seat, func(piles []pile) {
		for seat, values := range won {
			for _, value := range values {
				piles[seat].add(gargon.Card(colour, value), position.rules)
			}
		}
	})
}

// another is what one more won card of a colour would be worth.
func (position *position) another(colour int) float64 {
	holding := &position.colours[colour]
	if holding.another == nil {
		seat := position.view.Seat
		after := append([]pile(nil), holding.piles...)
		after[seat].cards++
		after[seat].amulets += reference
		more := holding.outlook.worth(after, seat) - holding.worths[seat]
		holding.another = &more
	}
	return *holding.another
}

// tell explains an action: for a colour that is played, own cards won and the most of another seat.
func (position *position) tell(action sdk.Action, rate float64) string {
	if action.Verb != "play" {
		return fmt.Sprintf("%+.1f", rate)
	}
	var parts []string
	for colour, count := range gargon.Count(action.Args) {
		if count == 0 {
			continue
		}
		most := 0
		for seat, pile := range position.colours[colour].piles {
			if seat != position.view.Seat {
				most = max(most, pile.cards)
			}
		}
		own := position.colours[colour].piles[position.view.Seat].cards
		parts = append(parts, fmt.Sprintf("%s %d:%d", gargon.ColourName(colour), own, most))
	}
	return fmt.Sprintf("for %s, %+.1f", strings.Join(parts, " and "), rate)
}
