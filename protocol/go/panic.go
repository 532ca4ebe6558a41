package sdk

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// panicTrace returns the place of the panic that is being recovered from, and the trace of the
// bot's functions that led to it.
func panicTrace() (place, trace string) {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	panicked := false
	for {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			panicked = true
		case !panicked || strings.HasPrefix(frame.Function, "runtime."):
		case strings.HasSuffix(frame.Function, ".(*session).choose"):
			return place, trace
		default:
			line := fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
			if place == "" {
				place = line
			}
			trace += fmt.Sprintf("\t%s %s\n", line, frame.Function)
		}
		if !more {
			return place, trace
		}
	}
}
