package sdk

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// Raw is one msgpack value that is decoded on demand.
type Raw []byte

// Decode stores the value in what into points to, as [msgpack.Unmarshal] does. Keys for which a
// struct has no field are ignored. If there is no value, nothing is stored.
func (raw Raw) Decode(into any) error {
	if len(raw) == 0 {
		return nil
	}
	return msgpack.Unmarshal(raw, into)
}

// Value returns the value as nil, bool, int64, float64, string, []any or map[string]any.
func (raw Raw) Value() (any, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var value any
	err := msgpack.Unmarshal(raw, &value)
	return plain(value), err
}

// plain converts numbers to the widest type, since the width in which they are sent is arbitrary.
func plain(value any) any {
	switch value := value.(type) {
	case []any:
		for at, item := range value {
			value[at] = plain(item)
		}
	case map[string]any:
		for key, item := range value {
			value[key] = plain(item)
		}
	case int8:
		return int64(value)
	case int16:
		return int64(value)
	case int32:
		return int64(value)
	case uint8:
		return int64(value)
	case uint16:
		return int64(value)
	case uint32:
		return int64(value)
	case uint64:
		if value <= math.MaxInt64 {
			return int64(value)
		}
	case float32:
		return float64(value)
	}
	return value
}

var (
	errShort = errors.New("it ends too early")
	errValue = errors.New("a value that the protocol does not allow")
)

// valueEnd returns the end of the value that begins at a place. Decoding a value in order to
// skip it would take several times as long.
func valueEnd(data []byte, at int) (int, error) {
	for open := 1; open > 0; open-- {
		if at >= len(data) {
			return 0, errShort
		}
		code := data[at]
		at++
		switch {
		case msgpcode.IsFixedNum(code):
		case msgpcode.IsFixedMap(code):
			open += 2 * int(code&msgpcode.FixedMapMask)
		case msgpcode.IsFixedArray(code):
			open += int(code & msgpcode.FixedArrayMask)
		case msgpcode.IsFixedString(code):
			at += int(code & msgpcode.FixedStrMask)
		default:
			bytes, values, err := longSize(code, data[at:])
			if err != nil {
				return 0, err
			}
			at += bytes
			open += values
		}
	}
	if at > len(data) {
		return 0, errShort
	}
	return at, nil
}

// longSize returns how many bytes follow the code of a value, and how many values after them.
func longSize(code byte, rest []byte) (bytes, values int, err error) {
	switch code {
	case msgpcode.Nil, msgpcode.False, msgpcode.True:
		return 0, 0, nil
	case msgpcode.Uint8, msgpcode.Int8:
		return 1, 0, nil
	case msgpcode.Uint16, msgpcode.Int16:
		return 2, 0, nil
	case msgpcode.Uint32, msgpcode.Int32, msgpcode.Float:
		return 4, 0, nil
	case msgpcode.Uint64, msgpcode.Int64, msgpcode.Double:
		return 8, 0, nil
	}
	width := 2
	switch code {
	case msgpcode.Str8:
		width = 1
	case msgpcode.Str32, msgpcode.Array32, msgpcode.Map32:
		width = 4
	case msgpcode.Str16, msgpcode.Array16, msgpcode.Map16:
	default:
		return 0, 0, errValue
	}
	if len(rest) < width {
		return 0, 0, errShort
	}
	var padded [4]byte
	copy(padded[4-width:], rest)
	size := int(binary.BigEndian.Uint32(padded[:]))
	if size > len(rest) {
		return 0, 0, errShort // every value has at least one byte
	}
	switch code {
	case msgpcode.Array16, msgpcode.Array32:
		return width, size, nil
	case msgpcode.Map16, msgpcode.Map32:
		return width, 2 * size, nil
	}
	return width + size, 0, nil
}

// arraySize returns the number of values of an array, and where the first of them begins.
func arraySize(raw Raw) (size, at int, err error) {
	switch {
	case len(raw) == 0:
	case msgpcode.IsFixedArray(raw[0]):
		return int(raw[0] & msgpcode.FixedArrayMask), 1, nil
	case raw[0] == msgpcode.Array16 && len(raw) >= 3:
		return int(binary.BigEndian.Uint16(raw[1:])), 3, nil
	case raw[0] == msgpcode.Array32 && len(raw) >= 5:
		return int(binary.BigEndian.Uint32(raw[1:])), 5, nil
	}
	return 0, 0, errValue
}
