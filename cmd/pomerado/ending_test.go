package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/pomerado-go/pomerado/testdata/site"
)

// beating is a tool whose page sends a beat every 100 ms.
const beating = `
import { defineOperation, Schema } from "pomerado/runtime";
export default defineOperation(
  { name: "beat", input: Schema.Struct({}), output: Schema.Struct({}) },
  async ({ kernel, sessionId }) => {
    await kernel.browsers.playwright.execute(sessionId, {
      code: "for (let i = 0; ; i++) { await page.evaluate((n) => fetch('/beat?n=' + n), i); await page.waitForTimeout(100); }",
    });
    return {};
  },
);
`

// TestASignalEndsTheRunAndItsPage ends a run whose page beats, as Ctrl-C and as a service manager do: the answer comes at once, and not
// one beat after it.
func TestASignalEndsTheRunAndItsPage(t *testing.T) {
	dir := t.TempDir()
	source, saved := filepath.Join(dir, "beat.mjs"), filepath.Join(dir, "saved")
	if err := os.WriteFile(source, []byte(beating), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("pomerado", "pack", source, "--out", saved, "--no-deployment").CombinedOutput(); err != nil {
		t.Fatalf("packing: %v\n%s", err, out)
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			server, err := site.Start()
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			command := exec.Command("pomerado", "run", saved, "--url", server.URL, "--effect", "read", "--json", "--quiet")
			var stdout, stderr bytes.Buffer
			command.Stdout, command.Stderr = &stdout, &stderr
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if !server.Await(ctx, 3) {
				_ = command.Process.Kill()
				_ = command.Wait()
				t.Fatalf("no beats; %s", &stderr)
			}
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			signalled := time.Now()
			err = command.Wait()
			if took := time.Since(signalled); took > 2*time.Second {
				t.Errorf("the command ended %v after the signal", took)
			}
			beats := len(server.Beats())

			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
				t.Errorf("ended with %v, want exit code %d\n%s", err, exitFailed, &stderr)
			}
			var got struct {
				Status, Code string
				Details      struct{ Cause string }
			}
			if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
				t.Fatalf("%v in %q", err, &stdout)
			}
			if got.Status != "failed" || got.Code != "cancelled" || got.Details.Cause != "cancelled" {
				t.Errorf("the outcome is %s", &stdout)
			}
			silence, stop := context.WithTimeout(t.Context(), 3*time.Second)
			defer stop()
			if server.Await(silence, beats+1) {
				t.Error("a beat came after the answer")
			}
		})
	}
}
