package main

import (
	"math"

	"arena/sdk/castors"
)

// Found by playing against other bots.
const (
	trust    = 2.0 // how much lower than by chance a card is that somebody drew and kept
	patience = 0.3 // how much lower for each lap in which its owner knew it and let it lie
)

// position is what there is to decide on: what each card of each row brings on average.
type position struct {
	view   *castors.View
	brings [][castors.Row]float64
	laps   float64
	last   bool // whether this seat has no turn after this one
}

func newPosition(view *castors.View) *position {
	position := &position{
		view:   view,
		brings: make([][castors.Row]float64, view.Seats()),
		laps:   float64(view.Moves) / float64(view.Seats()),
		last:   view.Caller >= 0,
	}
	for seat := range view.Rows {
		for at := range castors.Row {
			position.brings[seat][at] = position.expect(seat, at)
		}
	}
	return position
}

// expect is what a card brings on average. What its owner has kept tells something of it.
func (position *position) expect(seat, at int) float64 {
	view := position.view
	if view.Rows[seat][at] != castors.Unknown || seat == view.Seat {
		return view.ExpectedPoints(seat, at)
	}
	lower := 0.0
	if view.Kept[seat][at] {
		lower = trust
	} else if view.KnownBy[seat][at]>>seat&1 == 1 {
		lower = math.Min(patience*position.laps, trust)
	}
	points, weights := 0.0, 0.0
	for value, count := range view.Pool(seat, at)[:castors.Nine+1] {
		weight := float64(count) * math.Pow(float64(castors.Nine+1-value), lower)
		points += weight * float64(value)
		weights += weight
	}
	if weights == 0 {
		return view.ExpectedPoints(seat, at)
	}
	return points / weights
}

// sum is what a row brings.
func (position *position) sum(seat int) float64 {
	total := 0.0
	for _, points := range position.brings[seat] {
		total += points
	}
	return total
}

// worst is the place of the card of a row that brings most.
func (position *position) worst(seat int) int {
	worst := 0
	for at, points := range position.brings[seat] {
		if points > position.brings[seat][worst] {
			worst = at
		}
	}
	return worst
}

// lowest is the place of the lowest card of all rows but one.
func (position *position) lowest(except int) (seat, at int) {
	seat = -1
	for other := range position.brings {
		for place, points := range position.brings[other] {
			if other != except && (seat < 0 || points < position.brings[seat][at]) {
				seat, at = other, place
			}
		}
	}
	return seat, at
}
