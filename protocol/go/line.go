package sdk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/vmihailenco/msgpack/v5"
)

const (
	header  = 4
	largest = 1 << 20
	chunk   = 1 << 16
)

// Line sends and receives messages.
type Line struct {
	source  io.Reader
	sink    io.Writer
	encoder *msgpack.Encoder
	out     bytes.Buffer
	buffer  []byte // what was read: the bytes from begin to end are not used yet
	begin   int
	end     int
}

// NewLine returns a line that reads frames from one stream and writes them to another.
func NewLine(source io.Reader, sink io.Writer) *Line {
	line := &Line{source: source, sink: sink, buffer: make([]byte, chunk)}
	line.encoder = msgpack.NewEncoder(&line.out)
	line.encoder.UseCompactInts(true)
	return line
}

// TakeStdio reserves stdin and stdout for the protocol. From then on prints go to stderr, and
// stdin is empty.
func TakeStdio() (*Line, error) {
	source, err := syscall.Dup(0)
	if err != nil {
		return nil, fmt.Errorf("stdin: %w", err)
	}
	sink, err := syscall.Dup(1)
	if err != nil {
		return nil, fmt.Errorf("stdout: %w", err)
	}
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer nothing.Close()
	if err := syscall.SetNonblock(source, false); err != nil {
		return nil, fmt.Errorf("stdin: %w", err)
	}
	for _, fd := range []int{source, sink} {
		syscall.CloseOnExec(fd) // a program that the bot starts must not keep the connection open
	}
	if err := syscall.Dup3(int(nothing.Fd()), 0, 0); err != nil {
		return nil, fmt.Errorf("stdin: %w", err)
	}
	if err := syscall.Dup3(2, 1, 0); err != nil {
		return nil, fmt.Errorf("stdout: %w", err)
	}
	os.Stdout = os.Stderr
	return NewLine(descriptor(source), os.NewFile(uintptr(sink), "stdout")), nil
}

// Send sends one message: any value that msgpack encodes as a map.
func (line *Line) Send(message any) error {
	line.out.Reset()
	line.out.Write(make([]byte, header))
	if err := line.encoder.Encode(message); err != nil {
		return err
	}
	frame := line.out.Bytes()
	size := len(frame) - header
	if size > largest {
		return fmt.Errorf("a message of %d bytes; at most %d can be sent", size, largest)
	}
	binary.BigEndian.PutUint32(frame, uint32(size))
	_, err := line.sink.Write(frame)
	return err
}

// Receive returns the next message, or [io.EOF] if the referee has closed the connection.
func (line *Line) Receive() (Message, error) {
	if err := line.fill(header); err != nil {
		return Message{}, err
	}
	size := int(binary.BigEndian.Uint32(line.buffer[line.begin:]))
	if size > largest {
		return Message{}, fmt.Errorf("a frame of %d bytes; at most %d are allowed", size, largest)
	}
	if err := line.fill(header + size); err != nil {
		return Message{}, err
	}
	// The bot may keep the message, so it gets a copy.
	body := bytes.Clone(line.buffer[line.begin+header : line.begin+header+size])
	line.begin += header + size
	return readMessage(body)
}

// fill reads until the buffer has at least this many bytes.
func (line *Line) fill(size int) error {
	if line.end-line.begin >= size {
		return nil
	}
	line.end = copy(line.buffer, line.buffer[line.begin:line.end])
	line.begin = 0
	if size > len(line.buffer) {
		line.buffer = append(line.buffer, make([]byte, size-len(line.buffer))...)
	}
	for line.end < size {
		count, err := line.source.Read(line.buffer[line.end:])
		line.end += count
		if err == nil || line.end >= size {
			continue
		}
		if errors.Is(err, io.EOF) && line.end > 0 {
			return io.ErrUnexpectedEOF
		}
		return err
	}
	return nil
}
