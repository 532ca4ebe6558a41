// The rule bot plays by the rule that the protocol's document gives, in any game.
package main

import (
	"log"

	"arena/sdk"
	"arena/sdk/rule-bot/rule"
)

func main() {
	if err := sdk.Run(rule.Hello, new(rule.Bot)); err != nil {
		log.Fatal(err)
	}
}
