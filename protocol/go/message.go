package sdk

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// Message is one message of the protocol: a map whose values are not decoded yet.
type Message struct {
	entries []entry
}

type entry struct {
	key   []byte
	value Raw
}

// errNotMap says that the body of a frame is not a map.
var errNotMap = errors.New("expected a frame that holds one msgpack map")

// readMessage parses the body of a frame.
func readMessage(body []byte) (Message, error) {
	var message Message
	size, at, err := mapSize(body)
	if err != nil {
		return message, err
	}
	message.entries = make([]entry, 0, min(size, 16))
	for range size {
		end, err := valueEnd(body, at)
		if err != nil {
			return message, fmt.Errorf("%w: %w", errNotMap, err)
		}
		key, err := keyOf(body[at:end])
		if err != nil {
			return message, fmt.Errorf("%w, got a key that is no text", errNotMap)
		}
		if at, err = valueEnd(body, end); err != nil {
			return message, fmt.Errorf("%w, got at %s: %w", errNotMap, key, err)
		}
		message.entries = append(message.entries, entry{key, Raw(body[end:at:at])})
	}
	if at < len(body) {
		return message, fmt.Errorf("%w, got %d bytes more", errNotMap, len(body)-at)
	}
	return message, nil
}

// mapSize returns the number of entries of a map, and where the first of them begins.
func mapSize(body []byte) (size, at int, err error) {
	switch {
	case len(body) == 0:
	case msgpcode.IsFixedMap(body[0]):
		return int(body[0] & msgpcode.FixedMapMask), 1, nil
	case body[0] == msgpcode.Map16 && len(body) >= 3:
		return int(binary.BigEndian.Uint16(body[1:])), 3, nil
	case body[0] == msgpcode.Map32 && len(body) >= 5:
		return int(binary.BigEndian.Uint32(body[1:])), 5, nil
	}
	return 0, 0, errNotMap
}

// keyOf returns the text of a key. Most keys are short and need no decoding.
func keyOf(raw Raw) ([]byte, error) {
	if msgpcode.IsFixedString(raw[0]) {
		return raw[1:], nil
	}
	var text string
	if !msgpcode.IsString(raw[0]) {
		return nil, errNotMap
	}
	err := raw.Decode(&text)
	return []byte(text), err
}

// Get returns the value of a key, nil if it is absent.
func (message Message) Get(key string) Raw {
	for _, entry := range message.entries {
		if string(entry.key) == key {
			return entry.value
		}
	}
	return nil
}

// Type returns the type of the message, empty if it has none.
func (message Message) Type() string {
	var t string
	if message.Get("t").Decode(&t) != nil {
		return ""
	}
	return t
}

// take stores the value of a key.
func (message Message) take(key string, into any) error {
	raw := message.Get(key)
	if raw == nil {
		return fmt.Errorf("%s.%s: expected a value, got no such key", message.Type(), key)
	}
	if err := raw.Decode(into); err != nil {
		return fmt.Errorf("%s.%s: %w", message.Type(), key, err)
	}
	return nil
}
