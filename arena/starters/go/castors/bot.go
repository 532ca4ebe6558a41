// A first bot for Gang de Castors: it keeps low cards and calls when its row is low.
package main

import (
	"log"
	"slices"

	"arena/sdk"
	"arena/sdk/castors"
)

const (
	unknown = 5.0  // the mean points of an unknown card
	gain    = 1.0  // exchange only if it saves more points than this
	low     = 10.0 // call with a row of at most this many points
)

func main() {
	hello := sdk.Hello{Name: "my-bot", Version: "1"}
	if err := sdk.Run(hello, sdk.Func(choose)); err != nil {
		log.Fatal(err)
	}
}

// choose decodes the view of this seat, and returns an action.
func choose(question *sdk.Question) (sdk.Choice, error) {
	var view castors.View
	if err := question.View.Decode(&view); err != nil {
		return nil, err
	}
	return decide(question.Kind, &view), nil
}

// decide returns an action; `arena game show castors` lists those of each kind of question.
func decide(kind string, view *castors.View) sdk.Action {
	row := worths(view.OwnRow())
	worst := slices.Index(row, slices.Max(row))
	switch kind {
	case castors.KindCall:
		if sum(row) <= low {
			return castors.Call()
		}
		return castors.Wait()
	case castors.KindTurn:
		if row[worst]-float64(view.TopDiscard()) > unknown/2 {
			return castors.Take(worst)
		}
		return castors.Draw()
	default:
		return use(*view.Drawn, view, row, worst)
	}
}

// use returns how to use the drawn card.
func use(card int, view *castors.View, row []float64, worst int) sdk.Action {
	switch card {
	case castors.SwapCard:
		if seat, position, found := lowCardOfOthers(view); found && row[worst] > unknown {
			return castors.Swap(worst, seat, position)
		}
	case castors.PeekCard:
		mine := view.OwnRow()
		if position := slices.Index(mine[:], castors.Unknown); position >= 0 {
			return castors.Peek(position)
		}
	case castors.DrawCard:
		return castors.Draw()
	default:
		if row[worst]-float64(card) > gain {
			return castors.Keep(worst)
		}
		if view.Rejectable {
			return castors.Reject()
		}
	}
	return castors.Discard()
}

// lowCardOfOthers returns the place of a card that another seat has kept, as it may be low.
func lowCardOfOthers(view *castors.View) (seat, position int, found bool) {
	for seat, row := range view.Rows {
		for position, card := range row {
			if seat == view.Seat {
				continue
			}
			isLow := float64(card) < unknown/2
			if card == castors.Unknown {
				isLow = view.Kept[seat][position]
			}
			if isLow {
				return seat, position, true
			}
		}
	}
	return 0, 0, false
}

// worths returns the points of the cards of a row.
func worths(row [castors.Row]int) []float64 {
	points := make([]float64, castors.Row)
	for position, card := range row {
		points[position] = unknown
		if value, has := castors.Value(card); has {
			points[position] = float64(value)
		}
	}
	return points
}

func sum(points []float64) float64 {
	total := 0.0
	for _, value := range points {
		total += value
	}
	return total
}
