package sdk

import (
	"io"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// descriptor reads from a file descriptor.
type descriptor int

// Read waits for some bytes.
func (fd descriptor) Read(into []byte) (int, error) {
	read := syscall.Read
	if runtime.NumGoroutine() == 1 && runtime.GOMAXPROCS(0) == 1 {
		read = quietRead
	}
	for {
		count, err := read(int(fd), into)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return 0, os.NewSyscallError("read", err)
		case count == 0:
			return 0, io.EOF
		default:
			return count, nil
		}
	}
}

// quietRead is syscall.Read without word to the scheduler. To that a read that waits is an
// event: it hands the goroutine to another thread, and each switch costs as much as a decision
// takes, because the referee and the other bots share the core. Where nothing else is to be run
// there is nothing to schedule.
func quietRead(fd int, into []byte) (int, error) {
	count, _, errno := syscall.RawSyscall(syscall.SYS_READ, uintptr(fd),
		uintptr(unsafe.Pointer(unsafe.SliceData(into))), uintptr(len(into)))
	if errno != 0 {
		return 0, errno
	}
	return int(count), nil
}
