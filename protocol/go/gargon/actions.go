package gargon

import "arena/sdk"

// Play puts one to three cards of the hand on the table, face down.
func Play(cards ...int) sdk.Action { return sdk.Do("play", cards...) }

// Pass draws these numbers of cards from stack 0 and from stack 1.
func Pass(first, second int) sdk.Action { return sdk.Do("pass", first, second) }

// Battle chooses the colour of the next battle.
func Battle(colour int) sdk.Action { return sdk.Do("battle", colour) }

// Draw draws the top card of a stack for the card that was lost.
func Draw(stack int) sdk.Action { return sdk.Do("draw", stack) }
