package supervisor

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestClockExpiresAfterActiveTimeOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, c := startClock(t.Context(), 10*time.Second)
		defer c.stop()
		time.Sleep(4 * time.Second)
		resume := c.pause()
		again := c.pause()
		time.Sleep(time.Hour)
		if got := c.remaining(); got != 6*time.Second {
			t.Fatalf("remaining while paused = %v, want 6s", got)
		}
		resume()
		resume() // idempotent: the second pause still holds
		time.Sleep(time.Minute)
		if ctx.Err() != nil {
			t.Fatal("expired while one pause was still held")
		}
		again()
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if ctx.Err() != nil {
			t.Fatal("expired one second early")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if !errors.Is(context.Cause(ctx), errDeadline) {
			t.Fatalf("cause = %v, want the deadline", context.Cause(ctx))
		}
		if c.remaining() != 0 {
			t.Fatalf("remaining after expiry = %v, want 0", c.remaining())
		}
	})
}

func TestStoppedClockNeverExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, c := startClock(t.Context(), time.Second)
		resume := c.pause()
		c.stop()
		resume()
		time.Sleep(time.Minute)
		synctest.Wait()
		if errors.Is(context.Cause(ctx), errDeadline) {
			t.Fatal("a stopped clock expired")
		}
	})
}
