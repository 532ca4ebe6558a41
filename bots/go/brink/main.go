// Brink plays Gang de Castors by how near the end is: it weighs every turn by what it can still
// gain, and calls when the others have more to gain from playing on.
package main

import (
	"log"

	"arena/sdk"
	"arena/sdk/castors"
)

func main() {
	hello := sdk.Hello{Name: "brink", Version: "1"}
	if err := sdk.Run(hello, sdk.Func(choose)); err != nil {
		log.Fatal(err)
	}
}

func choose(question *sdk.Question) (sdk.Choice, error) {
	var view castors.View
	if err := question.View.Decode(&view); err != nil {
		return nil, err
	}
	position := newPosition(&view)
	action, note := position.decide(question.Kind)
	question.Note = note
	return action, nil
}
