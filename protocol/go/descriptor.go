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

// Read waits for at least one byte.
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

// quietRead is syscall.Read without a notice to the scheduler. After such a notice, the scheduler
// hands a waiting goroutine to another thread. Each switch costs as much as a decision, because
// the referee and the other bots share the core. A bot has nothing else to run meanwhile.
func quietRead(fd int, into []byte) (int, error) {
	count, _, errno := syscall.RawSyscall(syscall.SYS_READ, uintptr(fd),
		uintptr(unsafe.Pointer(unsafe.SliceData(into))), uintptr(len(into)))
	if errno != 0 {
		return 0, errno
	}
	return int(count), nil
}
