package browser

import (
	"context"
	"encoding/json"
)

// Host is what the engine asks of the supervisor because its CDP connection may not do it (Target.*, Browser.*, Storage.*).
// Every method is called with the context of the call that needs it.
type Host interface {
	// NewPage opens an about:blank page in a context; it answers once the target exists. The page's attachment reaches the
	// engine over CDP, before or after the answer.
	NewPage(ctx context.Context, contextID string) (targetID string, err error)
	// ClosePage closes a page, asking it first when runBeforeUnload is set.
	ClosePage(ctx context.Context, targetID string, runBeforeUnload bool) error
	NewContext(ctx context.Context) (contextID string, err error)
	CloseContext(ctx context.Context, contextID string) error
	// Cookies are in CDP's Storage.* shapes: Network.Cookie and Network.CookieParam arrays.
	GetCookies(ctx context.Context, contextID string) (json.RawMessage, error)
	SetCookies(ctx context.Context, contextID string, cookies json.RawMessage) error
	ClearCookies(ctx context.Context, contextID string) error
	// GrantPermissions grants CDP permission names; an empty origin means every origin.
	GrantPermissions(ctx context.Context, contextID, origin string, permissions []string) error
	ResetPermissions(ctx context.Context, contextID string) error
	// WaitDownload waits for the end of a download: an empty failure when it completed.
	WaitDownload(ctx context.Context, guid string) (DownloadEnd, error)
	CancelDownload(ctx context.Context, guid string) error
}

// DownloadEnd is how a download ended.
type DownloadEnd struct {
	// Failure is Playwright's failure text ("canceled", a net error), empty on success.
	Failure string
}
