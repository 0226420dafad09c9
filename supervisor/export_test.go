package supervisor

import (
	"context"
	"strings"
)

// WedgePipe writes 120 MB to Chromium past the gate, after which its pipe answers nobody any more.
func WedgePipe(s *Supervisor) error {
	live, err := s.browser.get(context.Background())
	if err != nil {
		return err
	}
	part := `{"id":2000000000,"method":"Nothing.here","params":{"x":"` + strings.Repeat("x", 15<<20) + `"}}`
	for range 8 {
		if err := live.browser.Transport().Send(context.Background(), []byte(part)); err != nil {
			return err
		}
	}
	return nil
}
