// Random plays some legal action, by chance, in any game.
package main

import (
	"log"

	"arena/sdk"
)

func choose(question *sdk.Question) (sdk.Choice, error) {
	return sdk.Index(question.Random().IntN(question.Count())), nil
}

func main() {
	hello := sdk.Hello{Name: "random", Version: "1", WantsActions: true}
	if err := sdk.Run(hello, sdk.Func(choose)); err != nil {
		log.Fatal(err)
	}
}
