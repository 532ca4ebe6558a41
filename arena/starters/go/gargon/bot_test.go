package main

import (
	"testing"

	"arena/sdk"
	"arena/sdk/gargon"
)

var rules = &gargon.Rules{Amulets: []int{5, 5, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1}}

// seen is the view of seat 0 of three, the starter.
func seen() *gargon.View {
	return &gargon.View{
		Hand:   []int{gargon.Card(0, 3), gargon.Card(0, 15), gargon.Card(2, 2)},
		Hands:  []gargon.Counts{{2, 0, 1}, {4, 0, 0, 3, 3, 0}, {2, 0, 0, 4, 0, 4}},
		Played: make([]gargon.Counts, 3),
		Table:  [][]int{{}, nil, nil},
		Stacks: [2][]int{{4, 0}, {1, 5}},
		Won:    [][]int{{}, nil, nil},
	}
}

// expect checks which of the actions is chosen.
func expect(t *testing.T, view *gargon.View, expected int, actions ...sdk.Action) {
	t.Helper()
	if got := int(best(actions, view, rules)); got != expected {
		t.Errorf("chose %v, expected %v", actions[got], actions[expected])
	}
}

// Nobody else holds violet, so the bot plays the violet 2, which has five amulets.
func TestPlaysWhatNobodyCanFight(t *testing.T) {
	view := seen()
	expect(t, view, 2, gargon.Play(view.Hand[0]), gargon.Play(view.Hand[1]), gargon.Play(view.Hand[2]))
}

// The bot fights with yellow 13 before white 3.
func TestFightsWithTheHighestCardFirst(t *testing.T) {
	view := seen()
	view.Table = [][]int{{gargon.Card(0, 3), gargon.Card(4, 13)}, {gargon.Card(0, 4)}, {gargon.Card(4, 2)}}
	expect(t, view, 1, gargon.Battle(0), gargon.Battle(4))
}

// The bot has won blue cards, so it draws blue.
func TestDrawsTheColourThatItCollects(t *testing.T) {
	view := seen()
	view.Won[0] = []int{gargon.Card(1, 4), gargon.Card(1, 5)}
	expect(t, view, 1, gargon.Draw(0), gargon.Draw(1))
}
