// Package rule is the rule bot, separate from its program so that tests can use it.
package rule

import "arena/sdk"

// Hello is the bot's hello.
var Hello = sdk.Hello{Name: "rule", Version: "1", WantsActions: true, WantsEvents: true}

// Bot has a stream of numbers, and the count of questions in this game.
type Bot struct {
	state     uint32
	questions int
}

// Start begins the stream at the seed.
func (bot *Bot) Start(start *sdk.Start) error {
	bot.state = max(start.Seed, 1)
	bot.questions = 0
	return nil
}

// Choose returns the action that the stream selects: in turn as an index and as an action.
func (bot *Bot) Choose(question *sdk.Question) (sdk.Choice, error) {
	bot.state ^= bot.state << 13
	bot.state ^= bot.state >> 17
	bot.state ^= bot.state << 5
	bot.questions++
	index := int(bot.state % uint32(question.Count()))
	if bot.questions%2 == 1 {
		return sdk.Index(index), nil
	}
	return question.Actions()[index], nil
}
