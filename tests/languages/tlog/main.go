// Command tlog prints the size and the root of the log on standard input, whose leaves are lines.
//
// It has the hashes and the tree of golang.org/x/mod/sumdb/tlog, on which Go's checksum database
// rests: an implementation of RFC 6962 that has nothing to do with the arena's.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"

	"golang.org/x/mod/sumdb/tlog"
)

// stored has the hashes of a tree, by the index that tlog gives them.
type stored []tlog.Hash

// ReadHashes returns the hashes with these indices.
func (hashes *stored) ReadHashes(indices []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indices))
	for at, index := range indices {
		found[at] = (*hashes)[index]
	}
	return found, nil
}

func main() {
	log.SetFlags(0)
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	var hashes stored
	size := int64(0)
	for _, line := range bytes.SplitAfter(text, []byte("\n")) {
		if len(line) == 0 {
			continue // after the last end of line
		}
		more, err := tlog.StoredHashes(size, bytes.TrimSuffix(line, []byte("\n")), &hashes)
		if err != nil {
			log.Fatal(err)
		}
		hashes = append(hashes, more...)
		size++
	}
	root, err := tlog.TreeHash(size, &hashes)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d:%x\n", size, root[:])
}
