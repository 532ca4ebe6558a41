package main

import (
	"testing"

	"arena/sdk/castors"
)

// seen is what seat 0 of two sees: its own row, and one of which it knows nothing. The pile has
// a 0 and a 9.
func seen(row ...int) *castors.View {
	return &castors.View{
		Deals: 4,
		Rows: [][castors.Row]int{
			[castors.Row]int(row), {castors.Unknown, castors.Unknown, castors.Unknown, castors.Unknown},
		},
		KnownBy:  [][castors.Row]int{{1, 1, 1, 1}, {}},
		Kept:     make([][castors.Row]bool, 2),
		RowPools: make([][castors.Row]int, 2),
		Pools:    []castors.Pool{{0: 1, 9: 1}},
		Discards: []int{5},
		Totals:   []int{0, 0},
		Caller:   -1,
	}
}

func expect(t *testing.T, view *castors.View, kind, expected string) {
	t.Helper()
	if action, note := newPosition(view).decide(kind); action.String() != expected {
		t.Errorf("chose %v (%s), expected %s", action, note, expected)
	}
}

// In the last turn of the game it takes what is enough to win, and draws if only luck is.
func TestTheLastTurnGoesForTheWin(t *testing.T) {
	view := seen(9, 0, 0, 0)
	view.Deal, view.Caller = 3, 1
	view.Discards[0] = 5
	view.Totals = []int{12, 0} // 21 against 18: taking the 5 gains 4, enough
	expect(t, view, castors.KindTurn, "take 0")
	view.Totals = []int{15, 0} // 24 against 18: only the 0 is enough
	expect(t, view, castors.KindTurn, "draw")
}

// With nothing left to gain it calls; with a high row it plays on.
func TestCallsWhenTheOthersHaveMoreToGain(t *testing.T) {
	expect(t, seen(0, 0, 0, 0), castors.KindCall, "call")
	expect(t, seen(9, 8, 0, 9), castors.KindCall, "wait")
}

// A card that somebody drew and kept is thought to be lower than any other, and swapped for.
func TestSwapsForAKeptCard(t *testing.T) {
	view := seen(9, 0, 0, 0)
	view.Kept[1][2] = true
	card := castors.SwapCard
	view.Drawn = &card
	expect(t, view, castors.KindCard, "swap 0 1 2")
}
