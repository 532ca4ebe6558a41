package tests

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	"arena/sdk"
	"arena/sdk/castors"
	"arena/sdk/gargon"
)

// strictly decodes into a struct, and compares it with what was sent. It names keys that one of
// them lacks.
func strictly(t *testing.T, raw sdk.Raw, into any) {
	t.Helper()
	decoder := msgpack.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields(true)
	if err := decoder.Decode(into); err != nil {
		t.Fatal(err)
	}
	sent, err := raw.Value()
	if err != nil {
		t.Fatal(err)
	}
	data, err := msgpack.Marshal(into)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := sdk.Raw(data).Value()
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(sent, kept) {
		t.Fatalf("sent %v, kept %v", sent, kept)
	}
}

// knownEvent decodes an event strictly; it has only some of the fields.
func knownEvent(t *testing.T, raw sdk.Raw, into any) {
	t.Helper()
	decoder := msgpack.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields(true)
	if err := decoder.Decode(into); err != nil {
		t.Fatal(err)
	}
}

// The types have everything that the games show: rules, views, events and actions.
func TestTypesAreComplete(t *testing.T) {
	for name, transcript := range transcripts(t) {
		t.Run(name, func(t *testing.T) {
			for _, frame := range transcript.Frames {
				if frame.From != "referee" {
					continue
				}
				message, err := sdk.NewLine(bytes.NewReader(frame.bytes(t)), nil).Receive()
				if err != nil {
					t.Fatal(err)
				}
				isGargon := transcript.Game == "gargon"
				if rules := message.Get("rules"); rules != nil && isGargon {
					strictly(t, rules, new(gargon.Rules))
				} else if rules != nil {
					strictly(t, rules, new(castors.Rules))
				}
				if view := message.Get("view"); view != nil && isGargon {
					strictly(t, view, new(gargon.View))
				} else if view != nil {
					strictly(t, view, new(castors.View))
				}
				if actions := message.Get("actions"); actions != nil {
					strictly(t, actions, new([]sdk.Action))
				}
				if events := message.Get("events"); events != nil && isGargon {
					knownEvent(t, events, new([]gargon.Event))
				} else if events != nil {
					knownEvent(t, events, new([]castors.Event))
				}
			}
		})
	}
}

// A bot can tell a hidden card from the card 0.
func TestHiddenCardsAreNil(t *testing.T) {
	var seen, hidden int
	for _, frame := range transcripts(t)["castors-3"].Frames {
		if frame.From == "bot" {
			continue
		}
		message, err := sdk.NewLine(bytes.NewReader(frame.bytes(t)), nil).Receive()
		if err != nil {
			t.Fatal(err)
		}
		var events []castors.Event
		if err := message.Get("events").Decode(&events); err != nil {
			t.Fatal(err)
		}
		for _, event := range events {
			switch {
			case event.Event != "drew":
			case event.Card == nil:
				hidden++
			default:
				seen++
			}
		}
	}
	if hidden == 0 || seen == 0 {
		t.Errorf("%d drawn cards seen, %d hidden; expected some of both", seen, hidden)
	}
}

// Cards of Gargon have the names, values and amulets of the rules.
func TestGargonCards(t *testing.T) {
	card := gargon.Card(3, 9)
	if gargon.Colour(card) != 3 || gargon.Value(card) != 9 || gargon.CardName(card) != "red 9" {
		t.Errorf("card %d is %s", card, gargon.CardName(card))
	}
	if gargon.Copies(card) != 1 || gargon.Copies(gargon.Card(3, 0)) != 2 {
		t.Error("expected one red 9 and two red zeros")
	}
	rules := &gargon.Rules{Amulets: []int{5, 5, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1}}
	for value, expected := range []int{0, 5, 5, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0} {
		if got := gargon.Amulets(gargon.Card(2, value), rules); got != expected {
			t.Errorf("a %d has %d amulets, expected %d", value, got, expected)
		}
	}
	if shape := gargon.Shape([]int{70, 57, 66}); !reflect.DeepEqual(shape, []int{2, 1}) {
		t.Errorf("red 9 and two yellow cards have the shape %v, expected [2 1]", shape)
	}
}

// Who plays after a seat in a round depends on its starter.
func TestSeatsAfter(t *testing.T) {
	view := gargon.View{Seat: 3, Starter: 2, Hands: make([]gargon.Counts, 4)}
	if after := view.SeatsAfter(); !reflect.DeepEqual(after, []int{0, 1}) {
		t.Errorf("after seat 3 come %v, expected [0 1]", after)
	}
	view.Seat = 1
	if after := view.SeatsAfter(); after != nil {
		t.Errorf("after the last seat come %v", after)
	}
}

// Unknown cards are worth the mean of the cards that they can be.
func TestCastorsOdds(t *testing.T) {
	pool := castors.Pool{0: 1, 4: 2, castors.SwapCard: 1}
	if pool.Odds()[4] != 0.5 || pool.MeanValue() != 8.0/3 {
		t.Errorf("odds %v, mean %v", pool.Odds(), pool.MeanValue())
	}
	view := castors.View{
		Seat:     1,
		Rows:     [][castors.Row]int{{}, {7, castors.Unknown, castors.PeekCard, 0}},
		RowPools: [][castors.Row]int{{}, {0, 0, 0, 0}},
		Pools:    []castors.Pool{pool, {3: 1}},
		Discards: []int{9, 2},
	}
	for position, expected := range []float64{7, 8.0 / 3, 3, 0} {
		if got := view.ExpectedPoints(1, position); got != expected {
			t.Errorf("position %d is worth %v, expected %v", position, got, expected)
		}
	}
	if view.OwnRow()[0] != 7 || view.TopDiscard() != 2 {
		t.Errorf("own row %v, top discard %d", view.OwnRow(), view.TopDiscard())
	}
	var empty castors.Pool
	if empty.MeanValue() != 0 || empty.Odds()[0] != 0 {
		t.Error("an empty pool has odds")
	}
}

// Cards of Gang de Castors have the names of the rules, and values if they have any.
func TestCastorsCards(t *testing.T) {
	var names []string
	for card := castors.Unknown; card < castors.Kinds; card++ {
		names = append(names, castors.CardName(card))
		if _, has := castors.Value(card); has != (card >= 0 && card <= castors.Nine) {
			t.Errorf("%s has a value: %v", castors.CardName(card), has)
		}
	}
	if got := strings.Join(names, " "); got != "unknown 0 1 2 3 4 5 6 7 8 9 swap peek draw" {
		t.Error(got)
	}
	if castors.IsSpecial(castors.Nine) || !castors.IsSpecial(castors.SwapCard) {
		t.Error("special cards begin with swap")
	}
}

// An action reads as its verb and its numbers.
func TestActionInWords(t *testing.T) {
	if got := gargon.Play(53, 66).String() + ", " + castors.Draw().String(); got != "play 53 66, draw" {
		t.Error(got)
	}
}
