package castors

import "arena/sdk"

// Draw draws the top card of the pile, or plays a draw card that was drawn.
func Draw() sdk.Action { return sdk.Do("draw") }

// Take takes the top discard into the row, at a position.
func Take(position int) sdk.Action { return sdk.Do("take", position) }

// Discard puts the drawn card on the discards, without effect.
func Discard() sdk.Action { return sdk.Do("discard") }

// Keep puts the drawn value card into the row, at a position.
func Keep(position int) sdk.Action { return sdk.Do("keep", position) }

// Swap plays the swap card: it exchanges the own card at a position for one of another seat.
func Swap(position, other, otherPosition int) sdk.Action {
	return sdk.Do("swap", position, other, otherPosition)
}

// Peek plays the peek card: it looks at the own card at a position.
func Peek(position int) sdk.Action { return sdk.Do("peek", position) }

// Reject discards the first card from a draw card, for a second one that must be used.
func Reject() sdk.Action { return sdk.Do("reject") }

// Call calls the last round.
func Call() sdk.Action { return sdk.Do("call") }

// Wait plays on.
func Wait() sdk.Action { return sdk.Do("wait") }
