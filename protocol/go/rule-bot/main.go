// The rule bot plays any game by the rule in section 11 of the protocol.
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
