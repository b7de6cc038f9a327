// Command mac-signer adds an ad hoc signature to a program for macOS, on any system. Apple silicon runs no program without.
package main

import (
	"fmt"
	"os"

	"github.com/anchore/quill/quill"
	"github.com/anchore/quill/quill/macho"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: mac-signer FILE IDENTIFIER")
		os.Exit(2)
	}
	if err := sign(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func sign(file, identifier string) error {
	if err := align(file); err != nil {
		return err
	}
	// Without a certificate, the signature is ad hoc.
	config, err := quill.NewSigningConfigFromPEMs(file, "", "", "", false)
	if err != nil {
		return err
	}
	return quill.Sign(*config.WithIdentity(identifier))
}

// align extends the last segment, behind which the signature begins, as Apple's linker does.
func align(file string) error {
	const boundary = 16
	program, err := macho.NewFile(file)
	if err != nil {
		return err
	}
	defer program.Close()
	segment := program.Segment("__LINKEDIT")
	end := segment.Offset + segment.Filesz
	padding := (boundary - end%boundary) % boundary
	if padding == 0 {
		return nil
	}
	if err := program.Patch(make([]byte, padding), int(padding), end); err != nil {
		return err
	}
	segment.Filesz += padding
	return program.UpdateSegmentHeader(segment.SegmentHeader)
}
