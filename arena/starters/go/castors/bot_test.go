package main

import (
	"testing"

	"arena/sdk"
	"arena/sdk/castors"
)

const hidden = castors.Unknown

// seen is the view of seat 0 of two, with this row of its own.
func seen(row ...int) *castors.View {
	return &castors.View{
		Rows:     [][castors.Row]int{[castors.Row]int(row), {hidden, hidden, hidden, hidden}},
		Kept:     make([][castors.Row]bool, 2),
		Discards: []int{7},
	}
}

// drew is its view when it has drawn a card.
func drew(card int, row ...int) *castors.View {
	view := seen(row...)
	view.Drawn = &card
	return view
}

func expect(t *testing.T, kind string, view *castors.View, expected sdk.Action) {
	t.Helper()
	if got := decide(kind, view); got.String() != expected.String() {
		t.Errorf("chose %v, expected %v", got, expected)
	}
}

// The bot puts an open 1 in the place of its 8.
func TestTakesALowDiscardForTheWorstCard(t *testing.T) {
	view := seen(2, hidden, 8, 3)
	view.Discards = []int{9, 1}
	expect(t, castors.KindTurn, view, castors.Take(2))
}

// The bot does not take an open 7; it draws.
func TestLeavesAHighDiscard(t *testing.T) {
	expect(t, castors.KindTurn, seen(2, hidden, hidden, 3), castors.Draw())
}

// The bot puts a drawn 0 in the place of its 9.
func TestKeepsALowCard(t *testing.T) {
	expect(t, castors.KindCard, drew(0, 9, hidden, hidden, 3), castors.Keep(0))
}

// The bot swaps its 9 for a card that another seat has drawn and kept.
func TestSwapsItsWorstCardForAKeptOne(t *testing.T) {
	view := drew(castors.SwapCard, 9, 1, 1, 3)
	view.Kept[1][1] = true
	expect(t, castors.KindCard, view, castors.Swap(0, 1, 1))
}

// The bot calls with a row of six points, but not of sixteen.
func TestCallsWithALowRow(t *testing.T) {
	expect(t, castors.KindCall, seen(0, 1, 2, 3), castors.Call())
	expect(t, castors.KindCall, seen(hidden, 1, hidden, 5), castors.Wait())
}
