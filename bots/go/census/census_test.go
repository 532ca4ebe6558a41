package main

import (
	"reflect"
	"testing"

	"arena/sdk/gargon"
)

// The tally counts what each seat was seen to win.
func TestTallyCountsWinnings(t *testing.T) {
	tally := newTally(3)
	tally.add([]gargon.Event{
		{Event: "fought", Seats: []int{2, 0}, Cards: []int{gargon.Card(1, 9), gargon.Card(1, 4)}, Winner: 2},
		{Event: "fought", Seats: []int{0, 1}, Cards: []int{gargon.Card(2, 0), gargon.Card(2, 0)}, Winner: -1},
		{Event: "won", Seat: 0, Cards: []int{gargon.Card(3, 0), gargon.Card(3, 1)}},
	})
	piles := tally.piles(&gargon.Rules{Amulets: []int{5, 5, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1}})
	if piles[1][2] != (pile{cards: 1, amulets: 2}) || piles[3][0] != (pile{2, 5, 1}) {
		t.Errorf("piles %v", piles)
	}
	if piles[2][0].cards+piles[2][1].cards > 0 {
		t.Error("zeros that struck each other out were counted")
	}
}

// Imagined battles end as the examples of the rules do.
func TestFightsAsTheRulesSay(t *testing.T) {
	for _, example := range []struct{ table, won [][]int }{
		{[][]int{{9, 0}, {0}}, [][]int{{9, 0}, nil}},
		{[][]int{{0, 0}, {5}}, [][]int{{0}, {5}}},
		{[][]int{{0}, {0}}, [][]int{nil, nil}},
		{[][]int{{5, 0}, {0}, {3}}, [][]int{{5, 0}, nil, nil}},
		{[][]int{{2, 1}, nil, nil}, [][]int{{2, 1}, nil, nil}},
	} {
		if won := fight(example.table); !reflect.DeepEqual(won, example.won) {
			t.Errorf("%v ends as %v, expected %v", example.table, won, example.won)
		}
	}
}

// A lead that can still change hands is worth more than one that cannot.
func TestACloseMajorityIsWorthMost(t *testing.T) {
	outlook := outlook{swing: 1}
	gain := func(own, other int) float64 {
		holding := newHolding([]pile{{cards: own}, {cards: other}}, outlook)
		return holding.gain(0, func(piles []pile) { piles[0].cards++ })
	}
	if close, safe, lost := gain(3, 3), gain(8, 1), gain(0, 7); close <= safe || close <= lost {
		t.Errorf("one more card gains %.2f in a tie, %.2f far ahead, %.2f far behind", close, safe, lost)
	}
}
