package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// peer is the server's end of a connection under test.
type peer struct {
	t *testing.T
	Transport
}

func connect(t *testing.T) (*Conn, *peer) {
	t.Helper()
	e := sockets(t)
	c := NewConn(e.a)
	t.Cleanup(func() {
		_ = c.Close()
		<-c.Done()
	})
	return c, &peer{t, e.b}
}

func (p *peer) send(frame string) {
	p.t.Helper()
	if err := p.Send(p.t.Context(), []byte(frame)); err != nil {
		p.t.Error(err)
	}
}

func (p *peer) expect(want string) {
	p.t.Helper()
	frame, err := p.Receive()
	if err != nil || string(frame) != want {
		p.t.Errorf("the server got %s, %v; want %s", frame, err, want)
	}
}

func TestCallSendsParamsAndDecodesTheAnswer(t *testing.T) {
	c, server := connect(t)
	go func() {
		server.expect(`{"id":1,"method":"Runtime.evaluate","params":{"expression":"1+1","returnByValue":true},"sessionId":"S1"}`)
		server.send(`{"id":1,"result":{"result":{"type":"number","value":2,"description":"2"}},"sessionId":"S1"}`)
		server.expect(`{"id":2,"method":"Page.enable","sessionId":"S1"}`)
		server.send(`{"id":2,"result":{},"sessionId":"S1"}`)
		server.expect(`{"id":3,"method":"Page.navigate","params":{"url":"about:blank"}}`)
		server.send(`{"error":{"code":-32000,"message":"no","data":"more"},"id":3}`)
		server.expect(`{"id":4,"method":"Page.raw","params":{"a":[1, 2]}}`)
		server.send(`{"id":4,"result":{"b":"\u00e9"}}`)
	}()
	yes := true
	res, err := Do(t.Context(), Session{c, "S1"}, runtime.Evaluate, runtime.EvaluateParams{Expression: "1+1", ReturnByValue: &yes})
	if err != nil || string(res.Result.Value) != "2" {
		t.Errorf("Runtime.evaluate gives %+v, %v", res, err)
	}
	if err := c.Call(t.Context(), "S1", "Page.enable", nil, nil); err != nil {
		t.Error(err)
	}
	_, err = Do(t.Context(), Session{c, ""}, page.Navigate, page.NavigateParams{URL: "about:blank"})
	failure := (*Error)(nil)
	if !errors.As(err, &failure) || *failure != (Error{"Page.navigate", -32000, "no", "more"}) || err.Error() != "Page.navigate: no (more)" {
		t.Errorf("a refused command gives %v", err)
	}
	var raw json.RawMessage
	if err := c.Call(t.Context(), "", "Page.raw", json.RawMessage(`{"a":[1, 2]}`), &raw); err != nil || string(raw) != `{"b":"\u00e9"}` {
		t.Errorf("a raw call gives %s, %v", raw, err)
	}
}

func TestEventsBeforeAnAnswerAreHandledWhenCallReturns(t *testing.T) {
	c, server := connect(t)
	var handled []string // no lock: Call's return orders it
	c.Subscribe("S1", func(e Event) {
		time.Sleep(time.Millisecond)
		handled = append(handled, string(e.Params))
	})
	go func() {
		server.expect(`{"id":1,"method":"Input.dispatchMouseEvent","sessionId":"S1"}`)
		for i := range 20 {
			server.send(fmt.Sprintf(`{"method":"Page.frameNavigated","params":{"n":%d},"sessionId":"S1"}`, i))
		}
		server.send(`{"method":"Page.frameNavigated","params":{"n":"other"},"sessionId":"S2"}`)
		server.send(`{"id":1,"result":{},"sessionId":"S1"}`)
	}()
	if err := c.Call(t.Context(), "S1", "Input.dispatchMouseEvent", nil, nil); err != nil {
		t.Fatal(err)
	}
	if len(handled) != 20 || handled[0] != `{"n":0}` || handled[19] != `{"n":19}` {
		t.Fatalf("handled before the call returned: %q", handled)
	}
}

func TestAHandlerThatSubscribesToANewSessionMissesNothing(t *testing.T) {
	c, server := connect(t)
	seen := make(chan string, 2)
	c.Subscribe("", func(e Event) {
		var attached struct {
			Session string `json:"sessionId"`
		}
		if err := e.Decode(&attached); err != nil {
			t.Error(err)
		}
		c.Subscribe(attached.Session, func(e Event) { seen <- e.Session + " " + e.Method })
		c.Start(t.Context(), attached.Session, "Page.enable", nil)
		c.Start(t.Context(), attached.Session, "Runtime.runIfWaitingForDebugger", nil)
	})
	server.send(`{"method":"Target.attachedToTarget","params":{"sessionId":"S1"}}`)
	server.send(`{"method":"Target.attachedToTarget","params":{"sessionId":"S2"},"sessionId":"S1"}`)
	server.expect(`{"id":1,"method":"Page.enable","sessionId":"S1"}`)
	server.expect(`{"id":2,"method":"Runtime.runIfWaitingForDebugger","sessionId":"S1"}`)
	if got := <-seen; got != "S1 Target.attachedToTarget" {
		t.Fatalf("the new session saw %q", got)
	}
}

func TestAHandlerFromBeforeTheStartMissesNothing(t *testing.T) {
	e := sockets(t)
	(&peer{t, e.b}).send(`{"method":"Target.attachedToTarget","params":{"sessionId":"S1"}}`)
	seen := make(chan string, 1)
	c := NewConn(e.a, func(c *Conn) { c.Subscribe("", func(e Event) { seen <- e.Method }) })
	defer func() {
		_ = c.Close()
		<-c.Done()
	}()
	if got := <-seen; got != "Target.attachedToTarget" {
		t.Fatalf("the handler saw %q", got)
	}
}

func TestASlowHandlerDoesNotStopReading(t *testing.T) {
	c, server := connect(t)
	enter, release := make(chan struct{}), make(chan struct{})
	var got []string
	c.Subscribe("", func(e Event) {
		if len(got) == 0 {
			close(enter)
			<-release
		}
		got = append(got, string(e.Params))
	})
	server.send(`{"method":"A.b","params":{}}`)
	<-enter
	// Far more than every buffer between holds.
	filler := `{"method":"A.b","params":{"x":"` + strings.Repeat("x", 1<<20) + `"}}`
	for range 20 {
		server.send(filler)
	}
	close(release)
	go func() {
		server.expect(`{"id":1,"method":"A.c"}`)
		server.send(`{"id":1,"result":{}}`)
	}()
	if err := c.Call(t.Context(), "", "A.c", nil, nil); err != nil {
		t.Fatal(err)
	}
	if len(got) != 21 {
		t.Fatalf("%d events handled, want 21", len(got))
	}
}

func TestEventsNobodyTakesEndTheConnectionAtItsLimit(t *testing.T) {
	c, server := connect(t)
	release := make(chan struct{})
	c.Subscribe("", func(Event) { <-release })
	filler := []byte(`{"method":"A.b","params":{"x":"` + strings.Repeat("x", 8<<20) + `"}}`)
	for range 12 {
		if server.Send(t.Context(), filler) != nil {
			break
		}
	}
	close(release)
	<-c.Done()
	if err := c.Err(); !errors.Is(err, ErrFlooded) || !errors.Is(err, ErrClosed) {
		t.Fatalf("the connection ended with %v", err)
	}
}

func TestStopEndsASubscription(t *testing.T) {
	c, server := connect(t)
	var first, second int
	var stop func()
	stop = c.Subscribe("", func(Event) { first++; stop() })
	c.Subscribe("", func(Event) { second++ })
	server.send(`{"method":"A.b","params":{}}`)
	server.send(`{"method":"A.b","params":{}}`)
	go func() {
		server.expect(`{"id":1,"method":"A.c"}`)
		server.send(`{"id":1,"result":{}}`)
	}()
	if err := c.Call(t.Context(), "", "A.c", nil, nil); err != nil {
		t.Fatal(err)
	}
	if first != 1 || second != 2 {
		t.Fatalf("the stopped handler ran %d times, the other %d times", first, second)
	}
}

func TestCommandsOfALostSessionAreAnswered(t *testing.T) {
	tests := []struct {
		event string
		want  error
	}{
		{`{"method":"Target.detachedFromTarget","params":{"sessionId":"S1"}}`, ErrSessionClosed},
		{`{"method":"Inspector.targetCrashed","params":{},"sessionId":"S1"}`, ErrTargetCrashed},
	}
	for _, test := range tests {
		t.Run(test.want.Error(), func(t *testing.T) {
			c, server := connect(t)
			lost, other := c.Start(t.Context(), "S1", "A.a", nil), c.Start(t.Context(), "S2", "A.b", nil)
			server.expect(`{"id":1,"method":"A.a","sessionId":"S1"}`)
			server.expect(`{"id":2,"method":"A.b","sessionId":"S2"}`)
			server.send(test.event)
			server.send(`{"id":1,"result":{},"sessionId":"S1"}`)
			server.send(`{"id":2,"result":{},"sessionId":"S2"}`)
			if err := lost.Wait(t.Context(), nil); !errors.Is(err, test.want) {
				t.Errorf("the lost session's command gives %v", err)
			}
			if err := other.Wait(t.Context(), nil); err != nil {
				t.Errorf("the other session's command gives %v", err)
			}
		})
	}
}

func TestACrashedSessionRefusesCommandsUntilItIsReloaded(t *testing.T) {
	c, server := connect(t)
	var methods []string
	c.Subscribe("S1", func(e Event) { methods = append(methods, e.Method) })
	server.send(`{"method":"Inspector.targetCrashed","params":{},"sessionId":"S1"}`)
	barrier := func(n int) {
		go func() {
			server.expect(fmt.Sprintf(`{"id":%d,"method":"A.c"}`, n))
			server.send(fmt.Sprintf(`{"id":%d,"result":{}}`, n))
		}()
		if err := c.Call(t.Context(), "", "A.c", nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	barrier(1)
	if err := c.Call(t.Context(), "S1", "A.a", nil, nil); !errors.Is(err, ErrTargetCrashed) {
		t.Fatalf("a command to a crashed page gives %v", err)
	}
	server.send(`{"method":"Inspector.targetReloadedAfterCrash","params":{},"sessionId":"S1"}`)
	barrier(2)
	go func() {
		server.expect(`{"id":3,"method":"A.a","sessionId":"S1"}`)
		server.send(`{"id":3,"result":{},"sessionId":"S1"}`)
	}()
	if err := c.Call(t.Context(), "S1", "A.a", nil, nil); err != nil {
		t.Fatal(err)
	}
	if want := []string{"Inspector.targetCrashed", "Inspector.targetReloadedAfterCrash"}; !slices.Equal(methods, want) {
		t.Fatalf("events %q, want %q", methods, want)
	}
}

func TestAnEndedContextEndsTheCallAndDropsItsAnswer(t *testing.T) {
	c, server := connect(t)
	reason := errors.New("the run is over")
	ctx, cancel := context.WithCancelCause(t.Context())
	waiting := c.Start(ctx, "", "A.a", nil)
	server.expect(`{"id":1,"method":"A.a"}`)
	cancel(reason)
	if err := waiting.Wait(ctx, nil); !errors.Is(err, reason) {
		t.Fatalf("the call gives %v", err)
	}
	if err := c.Call(ctx, "", "A.b", nil, nil); !errors.Is(err, reason) {
		t.Fatalf("a call with an ended context gives %v", err)
	}
	server.send(`{"id":1,"result":{}}`)
	go func() {
		server.expect(`{"id":2,"method":"A.c"}`)
		server.send(`{"id":2,"result":{}}`)
	}()
	if err := c.Call(t.Context(), "", "A.c", nil, nil); err != nil {
		t.Fatal(err)
	}
}

func TestTheEndOfTheTransportAnswersEverybody(t *testing.T) {
	c, server := connect(t)
	waiting := c.Start(t.Context(), "", "A.a", nil)
	handled := false
	c.Subscribe("", func(Event) { handled = true })
	server.expect(`{"id":1,"method":"A.a"}`)
	server.send(`{"method":"A.last","params":{}}`)
	// Close drops what waits, so give the last event to the reader first.
	go func() {
		server.expect(`{"id":2,"method":"A.b"}`)
		server.send(`{"id":2,"result":{}}`)
	}()
	if err := c.Call(t.Context(), "", "A.b", nil, nil); err != nil {
		t.Fatal(err)
	}
	_ = server.Close()
	if err := waiting.Wait(t.Context(), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("the waiting call gives %v", err)
	}
	<-c.Done()
	if !handled || !errors.Is(c.Err(), ErrClosed) {
		t.Errorf("handled the last event: %v; ended with %v", handled, c.Err())
	}
	if err := c.Call(t.Context(), "", "A.d", nil, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("a later call gives %v", err)
	}
	c.Subscribe("", func(Event) {})()
}

func TestManyCallersAtOnceGetTheirOwnAnswers(t *testing.T) {
	c, server := connect(t)
	go func() {
		for {
			frame, err := server.Receive()
			if err != nil {
				return
			}
			var command struct {
				ID     int64           `json:"id"`
				Params json.RawMessage `json:"params"`
			}
			if err := json.Unmarshal(frame, &command); err != nil {
				t.Error(err)
			}
			server.send(`{"method":"A.noise","params":{}}`)
			server.send(fmt.Sprintf(`{"id":%d,"result":%s}`, command.ID, command.Params))
		}
	}()
	var wg sync.WaitGroup
	for caller := range 16 {
		wg.Go(func() {
			stop := c.Subscribe("", func(Event) {})
			defer stop()
			for i := range 50 {
				want := fmt.Sprintf(`{"v":"%d-%d"}`, caller, i)
				var raw json.RawMessage
				if err := c.Call(t.Context(), "", "A.echo", json.RawMessage(want), &raw); err != nil || string(raw) != want {
					t.Errorf("got %s, %v; want %s", raw, err, want)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkCall(b *testing.B) {
	c, server := func() (*Conn, Transport) {
		e := ends{}
		a, z := unixPair(b)
		e.a, e.b = NewSocket(a), NewSocket(z)
		return NewConn(e.a), e.b
	}()
	defer func() {
		_ = c.Close()
		<-c.Done()
		_ = server.Close()
	}()
	go func() {
		for {
			frame, err := server.Receive()
			if err != nil {
				return
			}
			id, _ := scanID(frame[len(headID):])
			if server.Send(b.Context(), fmt.Appendf(nil, `{"id":%d,"result":{"result":{"type":"number","value":2}},"sessionId":"S1"}`, id)) != nil {
				return
			}
		}
	}()
	for b.Loop() {
		var raw json.RawMessage
		if err := c.Call(b.Context(), "S1", "Runtime.evaluate", json.RawMessage(`{"expression":"1+1"}`), &raw); err != nil {
			b.Fatal(err)
		}
	}
}
