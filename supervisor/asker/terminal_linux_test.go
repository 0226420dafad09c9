package asker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"

	"github.com/pomerado-go/pomerado/operations/question"
)

// pty is a terminal and the person at it. The terminal side is what a program gets as its standard streams; the person side types and sees.
type pty struct {
	t        *testing.T
	person   *os.File
	terminal *os.File

	mu   sync.Mutex
	seen bytes.Buffer
	news chan struct{}
}

func openPty(t *testing.T) *pty {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &pty{t: t, person: person, terminal: terminal, news: make(chan struct{}, 1)}
	var reading sync.WaitGroup
	reading.Go(func() {
		var chunk [1024]byte
		for {
			n, err := person.Read(chunk[:])
			p.mu.Lock()
			p.seen.Write(chunk[:n])
			p.mu.Unlock()
			select {
			case p.news <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	})
	t.Cleanup(func() {
		terminal.Close() // the reader gets EIO
		reading.Wait()
		person.Close()
	})
	return p
}

func (p *pty) screen() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen.String()
}

// sees waits until the screen shows text after what it showed before, and forgets all up to it.
func (p *pty) sees(text string) {
	p.t.Helper()
	for {
		p.mu.Lock()
		i := strings.Index(p.seen.String(), text)
		if i >= 0 {
			p.seen.Next(i + len(text))
		}
		p.mu.Unlock()
		if i >= 0 {
			return
		}
		select {
		case <-p.news:
		case <-p.t.Context().Done():
			p.t.Fatalf("the screen never showed %q but\n%s", text, p.screen())
		}
	}
}

func (p *pty) types(text string) {
	p.t.Helper()
	if _, err := p.person.WriteString(text); err != nil {
		p.t.Fatal(err)
	}
}

// asked runs an ask while the person does what they do, and gives what came of it.
func asked(t *testing.T, r question.Request, person func(p *pty, cancel func())) (map[string]json.RawMessage, error, *pty) {
	t.Helper()
	p := openPty(t)
	before, err := term.GetState(p.terminal.Fd())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got map[string]json.RawMessage
	var failure error
	var asking sync.WaitGroup
	asking.Go(func() { got, failure = NewTerminal(p.terminal, p.terminal).Ask(ctx, r) })
	person(p, cancel)
	asking.Wait()
	after, err := term.GetState(p.terminal.Fd())
	if err != nil {
		t.Fatal(err)
	}
	if *before != *after {
		t.Error("the terminal is left in another state")
	}
	return got, failure, p
}

func TestATerminalAsksEveryKindOfQuestion(t *testing.T) {
	got, err, _ := asked(t, request(timeQ, extrasQ, textQ, goQ, codeQ, loginQ), func(p *pty, _ func()) {
		p.sees("When?\r\n   1) 9:00\r\n   2) 10:00\r\n   3) noon\r\n  number, or own text > ")
		p.types("2\n")
		p.sees("a note with it (Enter for none) > ")
		p.types("by the door\n")
		p.sees("Extras?")
		p.sees("> ")
		p.types("1, book\n")
		p.sees("Anything?")
		p.sees("> ")
		p.types("wörds\n")
		p.sees("Go?")
		p.sees("yes or no > ")
		p.types("YES\n")
		p.sees(`Words? (Enter for "none") > `)
		p.types("\n")
		p.sees("Code?\r\n  (not shown) > ")
		p.types("12\x7f34\x1b[A\x15c\xc3\xa4\x7f\xc3\xb6de\x01\r")
		p.sees("user name > ")
		p.types("me\n")
		p.sees("password (not shown) > ")
		p.types("pass\r")
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"time": `{"note":"by the door","option":"o2"}`, "extras": `["o1","o3"]`, "comment": `"wörds"`, "go_ahead": `{"confirmed":true,"text":"none"}`,
		"code": `"cöde"`, "login": `{"password":"pass","saveLogin":false,"username":"me"}`,
	} {
		if string(got[id]) != want {
			t.Errorf("%s: %s, want %s", id, got[id], want)
		}
	}
}

func TestASecretIsNeverShown(t *testing.T) {
	got, err, p := asked(t, request(codeQ, textQ), func(p *pty, _ func()) {
		p.sees("(not shown) > ")
		p.types("canary7\r")
		p.sees("Anything?")
		p.sees("> ")
		if strings.Contains(p.screen(), "canary") {
			t.Error("the secret is on the screen")
		}
		p.types("seen\n")
		p.sees("seen")
	})
	if err != nil || string(got["code"]) != `"canary7"` || strings.Contains(p.screen(), "canary") {
		t.Errorf("%s, %v\n%s", got, err, p.screen())
	}
}

func TestAWrongAnswerIsAskedAgain(t *testing.T) {
	strict := timeQ
	strict.AllowOther, strict.AllowNote = false, false
	numbered := question.Question{ID: "n", Type: question.Choice, Prompt: "How many?", Options: options("2", "3")}
	got, err, _ := asked(t, request(strict, numbered, extrasQ, textQ, goQ, codeQ), func(p *pty, _ func()) {
		p.sees("number > ")
		p.types("7\n")
		p.sees("none of the options")
		p.types("later\n")
		p.sees("none of the options")
		p.types(" Noon\n")
		p.sees("How many?")
		p.sees("> ")
		p.types("2\n")
		p.sees("2 is the number of one option and the name of another; answer o2 or o1.")
		p.types("o1\n")
		p.sees("Extras?")
		p.types("1,2,3\n")
		p.sees("Choose 0 to 2 of them.")
		p.types("1,1\n")
		p.sees("Name each option once")
		p.types("soup\n")
		p.sees("Anything?")
		p.types("\n")
		p.sees("An answer is needed here.")
		p.types("far too long\n")
		p.sees("That is too long.")
		p.types("ok\n")
		p.sees("yes or no > ")
		p.types("perhaps\n")
		p.sees("Answer yes or no.")
		p.types("n\n")
		p.sees("(not shown) > ")
		p.types("\r")
		p.sees("An answer is needed here.")
		p.sees("(not shown) > ")
		p.types("\xff\r")
		p.sees("not readable")
		p.sees("(not shown) > ")
		p.types("1\r")
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"time": `"o3"`, "n": `"o1"`, "extras": `{"options":[],"other":"soup"}`, "comment": `"ok"`, "go_ahead": `{"confirmed":false}`, "code": `"1"`} {
		if string(got[id]) != want {
			t.Errorf("%s: %s, want %s", id, got[id], want)
		}
	}
}

func TestNoAnswerAtATerminal(t *testing.T) {
	for name, person := range map[string]func(p *pty, cancel func()){
		"end of input":           func(p *pty, _ func()) { p.sees("Anything?"); p.types("\x04") },
		"the run ends meanwhile": func(p *pty, cancel func()) { p.sees("Anything?"); p.types("half"); cancel() },
		"Ctrl-C at a secret":     func(p *pty, _ func()) { p.sees("Anything?"); p.types("x\n"); p.sees("shown) > "); p.types("12\x03") },
		"Ctrl-D at a secret":     func(p *pty, _ func()) { p.sees("Anything?"); p.types("x\n"); p.sees("shown) > "); p.types("12\x04") },
		"the run ends at a secret": func(p *pty, cancel func()) {
			p.sees("Anything?")
			p.types("x\n")
			p.sees("shown) > ")
			p.types("12")
			cancel()
		},
		"the run ended before it": func(_ *pty, cancel func()) { cancel() },
	} {
		got, err, _ := asked(t, request(textQ, codeQ), person)
		if !errors.Is(err, ErrNoResponse) || errors.Is(err, ErrUnavailable) || got != nil {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

func TestWhatWasTypedBeforeTheQuestionIsNoAnswer(t *testing.T) {
	p := openPty(t)
	p.types("y\n")
	p.sees("y") // the terminal has it
	var got map[string]json.RawMessage
	var err error
	var asking sync.WaitGroup
	asking.Go(func() { got, err = NewTerminal(p.terminal, p.terminal).Ask(t.Context(), request(goQ)) })
	p.sees("yes or no > ")
	p.types("n\n")
	asking.Wait()
	if err != nil || string(got["go_ahead"]) != `{"confirmed":false}` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestWhereNobodyCanBeAsked(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close()
	if _, err := NewTerminal(in, out).Ask(t.Context(), request(textQ)); !errors.Is(err, ErrUnavailable) {
		t.Errorf("%v", err)
	}
}

// A label comes from a page: it must not command the terminal.
func TestALabelCannotCommandTheTerminal(t *testing.T) {
	hostile := question.Question{ID: "q", Type: question.Choice, Prompt: "Which?\x1b[2J", Options: options("a\x1b]0;title\x07b", "c\r\nd", "\u202ee")}
	got, err, _ := asked(t, request(hostile), func(p *pty, _ func()) {
		p.sees("Which?\ufffd[2J")
		p.sees("1) a\ufffd]0;title\ufffdb\r\n   2) c\ufffd d\r\n   3) \ufffde\r\n")
		p.types("3\n")
	})
	if err != nil || string(got["q"]) != `"o3"` {
		t.Errorf("%s, %v", got, err)
	}
}

func FuzzHiddenLine(f *testing.F) {
	f.Add([]byte("12\x7f34\x1b[A\x15c\xc3\xa4\x7f\x1bOPde\x01\r"))
	f.Add([]byte("\U0001F469\u200d\U0001F467\x08x\x03"))
	f.Fuzz(func(t *testing.T, keys []byte) {
		var l hiddenLine
		for _, c := range keys {
			if l.key(c) != goesOn {
				break
			}
		}
		text, err := l.text()
		if err == nil && strings.ContainsFunc(text, func(r rune) bool { return r < 0x20 || r == 0x7f }) {
			t.Fatalf("%q", text)
		}
	})
}
