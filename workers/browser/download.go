package browser

import "context"

// Download is a file the page downloads. The bytes stay with the host; page code gets what the host allows.
type Download struct {
	page      *Page
	guid      string
	url       string
	suggested string
}

// Page answers the page.
func (d *Download) Page() *Page { return d.page }

// GUID is the download's id, by which the host knows it.
func (d *Download) GUID() string { return d.guid }

// URL answers where it comes from.
func (d *Download) URL() string { return d.url }

// SuggestedFilename answers the name the server or page gave.
func (d *Download) SuggestedFilename() string { return d.suggested }

// Failure waits for the end and answers why it failed, nil when it did not.
func (d *Download) Failure(ctx context.Context) (*string, error) { return d.failure(ctx) }

// Cancel cancels the download; it is no error when it has ended.
func (d *Download) Cancel(ctx context.Context) error { return d.cancel(ctx) }
