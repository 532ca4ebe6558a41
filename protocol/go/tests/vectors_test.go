// Package tests checks the SDK with the protocol's vectors, and checks what its users rely on.
package tests

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"arena/sdk"
	"arena/sdk/rule-bot/rule"
)

// frame is a frame of the vectors, with what is said of it there.
type frame struct {
	Name    string
	Hex     string
	Verdict string
	Error   string
	Message any
	Answer  *string
	Seat    int
	From    string
	T       string
}

func (frame frame) bytes(t testing.TB) []byte {
	data, err := hex.DecodeString(frame.Hex)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// transcript is whole games with all their frames.
type transcript struct {
	Game   string
	Seats  int
	Frames []frame
}

func vectors() string {
	if folder := os.Getenv("ARENA_VECTORS"); folder != "" {
		return folder
	}
	return filepath.Join("..", "..", "vectors")
}

func load(t testing.TB, path string, into any) {
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func transcripts(t testing.TB) map[string]transcript {
	paths, err := filepath.Glob(filepath.Join(vectors(), "transcripts", "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no transcripts in %s: %v", vectors(), err)
	}
	found := make(map[string]transcript)
	for _, path := range paths {
		var one transcript
		load(t, path, &one)
		found[strings.TrimSuffix(filepath.Base(path), ".json")] = one
	}
	return found
}

// asJSON makes values of JSON and of msgpack comparable.
func asJSON(t testing.TB, value any) any {
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var plain any
	if err := json.Unmarshal(data, &plain); err != nil {
		t.Fatal(err)
	}
	return plain
}

// messages takes written frames apart.
func messages(t testing.TB, data []byte) []any {
	var found []any
	for len(data) > 0 {
		size := int(data[0])<<24 | int(data[1])<<16 | int(data[2])<<8 | int(data[3])
		value, err := sdk.Raw(data[4 : 4+size]).Value()
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, asJSON(t, value))
		data = data[4+size:]
	}
	return found
}

// The rule bot writes the messages of the transcripts, however the pipe cuts the frames.
func TestTranscripts(t *testing.T) {
	cuts := map[string]func(io.Reader) io.Reader{
		"whole": func(reader io.Reader) io.Reader { return reader },
		"bytes": iotest.OneByteReader,
		"error": iotest.DataErrReader,
	}
	for name, transcript := range transcripts(t) {
		for cut, reader := range cuts {
			t.Run(name+"/"+cut, func(t *testing.T) {
				for seat := range transcript.Seats {
					sent, expected := bySeat(t, transcript, seat)
					var written bytes.Buffer
					line := sdk.NewLine(reader(bytes.NewReader(sent)), &written)
					if err := sdk.RunOn(line, rule.Hello, new(rule.Bot)); err != nil {
						t.Fatalf("seat %d: %v", seat, err)
					}
					if !reflect.DeepEqual(messages(t, written.Bytes()), expected) {
						t.Errorf("seat %d: other messages than in the transcript", seat)
					}
				}
			})
		}
	}
}

// bySeat gives all bytes that the referee sends to a seat, and all messages from there.
func bySeat(t testing.TB, transcript transcript, seat int) (sent []byte, answers []any) {
	for _, frame := range transcript.Frames {
		switch {
		case frame.Seat != seat:
		case frame.From == "referee":
			sent = append(sent, frame.bytes(t)...)
		default:
			answers = append(answers, messages(t, frame.bytes(t))...)
		}
	}
	return sent, answers
}

// Every frame that a referee may send is read as what it says, and answered if it has to be.
func TestFramesToABot(t *testing.T) {
	var frames []frame
	load(t, filepath.Join(vectors(), "to_bot.json"), &frames)
	var start []byte
	for _, frame := range frames {
		if frame.Name == "start" {
			start = frame.bytes(t)
		}
	}
	for _, frame := range frames {
		t.Run(frame.Name, func(t *testing.T) {
			data := frame.bytes(t)
			if said := messages(t, data)[0]; !reflect.DeepEqual(said, frame.Message) {
				t.Errorf("read %v, expected %v", said, frame.Message)
			}
			var written bytes.Buffer
			line := sdk.NewLine(bytes.NewReader(append(bytes.Clone(start), data...)), &written)
			if err := sdk.RunOn(line, sdk.Hello{}, new(attentive)); err != nil {
				t.Fatal(err)
			}
			answers := messages(t, written.Bytes())
			switch {
			case frame.Answer == nil:
				if len(answers) > 0 {
					t.Errorf("answered %v, expected no answer", answers)
				}
			case len(answers) != 1 || answers[0].(map[string]any)["t"] != *frame.Answer:
				t.Errorf("answered %v, expected %s", answers, *frame.Answer)
			}
		})
	}
}

// attentive is a bot that is told everything.
type attentive struct{}

func (*attentive) Start(*sdk.Start) error { return nil }
func (*attentive) End(*sdk.End) error     { return nil }
func (*attentive) Fault(*sdk.Fault)       {}
func (*attentive) Choose(question *sdk.Question) (sdk.Choice, error) {
	_ = question.Actions()
	return sdk.Index(0), nil
}

// Frames in all widths of msgpack are read; bytes that are not a frame are refused.
func TestFrames(t *testing.T) {
	var frames []frame
	load(t, filepath.Join(vectors(), "frames.json"), &frames)
	for _, frame := range frames {
		t.Run(frame.Name, func(t *testing.T) {
			line := sdk.NewLine(bytes.NewReader(frame.bytes(t)), io.Discard)
			message, err := line.Receive()
			noFrame := strings.HasPrefix(frame.Error, "expected a frame") ||
				strings.HasPrefix(frame.Error, "expected one msgpack map")
			switch {
			case frame.Verdict == "ok":
				if err != nil {
					t.Fatal(err)
				}
				for key, expected := range frame.Message.(map[string]any) {
					if value, err := message.Get(key).Value(); err != nil || !reflect.DeepEqual(asJSON(t, value), expected) {
						t.Errorf("%s: read %v (%v), expected %v", key, value, err, expected)
					}
				}
			case frame.Verdict == "incomplete":
				if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("expected the end of the line, got %v", err)
				}
			case noFrame && err == nil:
				t.Error("expected an error")
			}
		})
	}
}
