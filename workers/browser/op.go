package browser

import (
	"context"
	"sync"
	"time"
)

// noTimeout is the Timeout that means no limit.
const noTimeout = time.Duration(0)

// defaultTimeout is Playwright's.
const defaultTimeout = 30 * time.Second

// timeouts are the defaults of a page or context; a page asks its context for what it has not.
type timeouts struct {
	mu         sync.Mutex
	parent     *timeouts
	general    *time.Duration
	navigation *time.Duration
}

func (t *timeouts) setDefault(d time.Duration) {
	t.mu.Lock()
	t.general = &d
	t.mu.Unlock()
}

func (t *timeouts) setNavigation(d time.Duration) {
	t.mu.Lock()
	t.navigation = &d
	t.mu.Unlock()
}

// of answers what a Timeout option means.
func (t *timeouts) of(option *time.Duration) time.Duration {
	if option != nil {
		return *option
	}
	for ; t != nil; t = t.parent {
		t.mu.Lock()
		d := t.general
		t.mu.Unlock()
		if d != nil {
			return *d
		}
	}
	return defaultTimeout
}

// ofNavigation answers what a navigation's Timeout option means: on each level the navigation default goes before the general one.
func (t *timeouts) ofNavigation(option *time.Duration) time.Duration {
	if option != nil {
		return *option
	}
	for ; t != nil; t = t.parent {
		t.mu.Lock()
		d := t.navigation
		if d == nil {
			d = t.general
		}
		t.mu.Unlock()
		if d != nil {
			return *d
		}
	}
	return defaultTimeout
}

// op is one API call on its way: its name, its deadline, its call log. It ends early when its page is gone.
type op struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	page    *Page
	api     string
	timeout time.Duration

	mu  sync.Mutex
	log []string
}
