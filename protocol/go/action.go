package sdk

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/vmihailenco/msgpack/v5"
)

// Choice is the answer to a question: an [Action], or the [Index] of one in the list of legal
// actions.
type Choice interface {
	key() string
	msgpack.CustomEncoder
}

// Index is the index of an action in the list of legal actions, from 0.
type Index int

// Action is a verb, then integers.
type Action struct {
	Verb string
	Args []int
}

// Do makes an action.
func Do(verb string, args ...int) Action { return Action{verb, args} }

// String returns the action as a text: "take 2".
func (action Action) String() string {
	return action.Verb + strings.TrimRight(" "+strings.Trim(fmt.Sprint(action.Args), "[]"), " ")
}

func (Index) key() string  { return "i" }
func (Action) key() string { return "a" }

// EncodeMsgpack writes the index as an integer.
func (index Index) EncodeMsgpack(encoder *msgpack.Encoder) error {
	return encoder.EncodeInt(int64(index))
}

// EncodeMsgpack writes the action as an array.
func (action Action) EncodeMsgpack(encoder *msgpack.Encoder) error {
	if err := encoder.EncodeArrayLen(1 + len(action.Args)); err != nil {
		return err
	}
	if err := encoder.EncodeString(action.Verb); err != nil {
		return err
	}
	for _, arg := range action.Args {
		if err := encoder.EncodeInt(int64(arg)); err != nil {
			return err
		}
	}
	return nil
}

// DecodeMsgpack reads the action from an array.
func (action *Action) DecodeMsgpack(decoder *msgpack.Decoder) error {
	args, err := action.decode(decoder, nil)
	action.Args = args
	return err
}

// decode reads the action. Its numbers are appended to those of the previous actions, so that a
// list of actions takes only two allocations.
func (action *Action) decode(decoder *msgpack.Decoder, before []int) ([]int, error) {
	size, err := decoder.DecodeArrayLen()
	if err != nil {
		return nil, err
	}
	if size < 1 {
		return nil, errors.New("an action without a verb")
	}
	if action.Verb, err = decoder.DecodeString(); err != nil {
		return nil, err
	}
	args := before
	for range size - 1 {
		arg, err := decoder.DecodeInt()
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	action.Args = args[len(before):len(args):len(args)]
	return args, nil
}

// readActions decodes a list of actions.
func readActions(raw Raw) ([]Action, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	decoder := msgpack.GetDecoder()
	defer msgpack.PutDecoder(decoder)
	decoder.Reset(bytes.NewReader(raw))
	size, err := decoder.DecodeArrayLen()
	if err != nil || size <= 0 {
		return nil, err
	}
	actions := make([]Action, size)
	args := make([]int, 0, 3*size)
	for at := range actions {
		if args, err = actions[at].decode(decoder, args); err != nil {
			return nil, err
		}
	}
	return actions, nil
}

// answer is a bot's answer to a question.
type answer struct {
	id     int
	choice Choice
	note   string
}

// EncodeMsgpack writes the message "action".
func (answer answer) EncodeMsgpack(encoder *msgpack.Encoder) error {
	parts := []any{"t", "action", "id", answer.id, answer.choice.key(), answer.choice, "note", answer.note}
	if answer.note == "" {
		parts = parts[:6]
	}
	if err := encoder.EncodeMapLen(len(parts) / 2); err != nil {
		return err
	}
	return encoder.EncodeMulti(parts...)
}
