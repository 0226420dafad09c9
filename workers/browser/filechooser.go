package browser

import "context"

// FileChooser is a file dialog that a page asked for and the engine keeps closed.
type FileChooser struct {
	page     *Page
	element  *ElementHandle
	multiple bool
}

// Page answers the page.
func (c *FileChooser) Page() *Page { return c.page }

// Element answers the file input.
func (c *FileChooser) Element() *ElementHandle { return c.element }

// IsMultiple reports whether the input takes more than one file.
func (c *FileChooser) IsMultiple() bool { return c.multiple }

// SetFiles gives files to the input.
func (c *FileChooser) SetFiles(ctx context.Context, files []FilePayload, o FillOptions) error {
	return c.element.setInputFiles(ctx, "fileChooser.setFiles", files, o)
}
