package supervisor_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/operations/question"
	"github.com/pomerado-go/pomerado/supervisor"
	"github.com/pomerado-go/pomerado/supervisor/asker"
)

// A password given to a question is in no log, error, progress, output of another run, file or process argument, in whatever form.
func TestAPasswordGivenToAQuestionLeavesNowhere(t *testing.T) {
	const canary = `cn4ry "p'ss/w0rd" é&=`
	quoted, err := json.Marshal(canary)
	if err != nil {
		t.Fatal(err)
	}
	forms := []string{canary, string(quoted[1 : len(quoted)-1]), url.QueryEscape(canary), url.PathEscape(canary), strings.ToLower(url.QueryEscape(canary)),
		base64.StdEncoding.EncodeToString([]byte(canary)), base64.RawURLEncoding.EncodeToString([]byte(canary))}
	free := func(where, text string) {
		t.Helper()
		for _, form := range forms {
			if strings.Contains(text, form) {
				t.Errorf("%s holds the password as %q", where, form)
			}
		}
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	log := &lockedBuffer{}
	s := newSupervisor(t, func(o *supervisor.Options) {
		o.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	at := startSite(t)
	door := asker.Func(func(_ context.Context, request question.Request) (map[string]json.RawMessage, error) {
		return map[string]json.RawMessage{request.Questions[0].ID: quoted}, nil
	})
	asks := `{ password: { type: "secret", prompt: "Password?", secretKind: "private_text" } }`
	told := ""
	var telling sync.Mutex
	with := func(r *supervisor.Request) {
		r.Asker, r.Effect = door, outcome.Read
		r.Progress = func(p supervisor.Progress) {
			telling.Lock()
			defer telling.Unlock()
			told += p.Text + "\n"
		}
	}
	typed := "const secret = await ask(\"password\"); await page(`await page.setContent('<input><p></p>'); await page.locator('input').fill(${JSON.stringify(secret)});`);"
	for name, end := range map[string]string{
		"an error":          "throw new Error(secret);",
		"its encodings":     "throw new Error([encodeURIComponent(secret), encodeURI(secret), btoa(unescape(encodeURIComponent(secret))), JSON.stringify(secret)].join(' '));",
		"a refused input":   `throw new errors.InvalidInput("no " + secret, { field: secret, available: [secret, "x" + secret], kind: "bad" });`,
		"an ignored input":  `throw new errors.InputNotApplied("no", { field: "a", requested: secret, applied: secret, step: secret, siteMessage: "site says " + secret });`,
		"page code's error": "const r = await kernel.browsers.playwright.execute(sessionId, { code: `await page.getByText(${JSON.stringify(secret)}).click({ timeout: 50 });` }); throw new errors.OperationFailure(r.error);",
		"a cut error":       `throw new Error("x".repeat(4096 - 12) + secret);`,
	} {
		t.Run(name, func(t *testing.T) {
			out := operation{asks: asks, script: typed + end}.execute(t, s, at.URL, with)
			if out.Status != outcome.Failed {
				t.Fatalf("the run ended %s", out.Status)
			}
			text, err := json.Marshal(out.Outcome)
			if err != nil {
				t.Fatal(err)
			}
			free("the outcome", string(text))
			free("the error", out.Error)
			free("the details", strings.Join(append(out.Details.Available, out.Details.Field, out.Details.SiteMessage, out.Details.Requested), "\n"))
			if strings.Contains(out.Error, "cn4ry") {
				t.Errorf("the error holds a part of the password: %s", out.Error)
			}
		})
	}
	out := operation{script: "return await page(`return [document?.title ?? '', await page.evaluate(() => localStorage.length), page.url()];`).catch(() => page.url);"}.execute(t, s, at.URL, func(r *supervisor.Request) { r.Effect = outcome.Read })
	text, _ := json.Marshal(out.Outcome)
	free("another run", string(text))
	if found := processes(t, canary); len(found) > 0 {
		t.Errorf("processes hold the password: %v", found)
	}
	telling.Lock()
	free("the progress", told)
	telling.Unlock()
	files := 0
	err = filepath.WalkDir(temp, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			if content, err := os.ReadFile(path); err == nil { // Chromium may remove one meanwhile
				files++
				free(path, string(content))
			}
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Errorf("looked into %d files: %v", files, err)
	}
	free("the log", log.String())
}

func TestCredentialsLeaveNoError(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	out := operation{script: `throw new Error("Authorization: Bearer abc123.def was refused by https://example.com/?password=kept");`}.execute(t, s, at.URL, func(r *supervisor.Request) { r.Effect = outcome.Read })
	if strings.Contains(out.Error, "abc123.def") || !strings.Contains(out.Error, "Bearer [redacted]") {
		t.Errorf("error: %s", out.Error)
	}
}

// lockedBuffer is a log's text.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
