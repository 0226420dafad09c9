// Package artifacts has the saved operations that tests run on the fixture site, and the one the demo runs. They are embedded, so the
// demo works wherever the binary is. It runs in the process that runs them and knows nothing of the product.
package artifacts

import (
	"embed"
	"io/fs"
)

//go:embed heading reservation release chart rooms journals
var folders embed.FS

// The bundled artifacts by the name of their folder.
const (
	Heading     = "heading"     // reads a page
	Reservation = "reservation" // asks all kinds of questions, then writes
	Release     = "release"     // writes by a native confirm
	Chart       = "chart"       // works in a frame and in a popup
	Rooms       = "rooms"       // speaks HTTP, without a page
	Journals    = "journals"    // reads a list of many pages, a part each call
)

// Folder is one of the bundled artifacts.
func Folder(name string) fs.FS {
	folder, err := fs.Sub(folders, name)
	if err != nil {
		panic(err) // the names above are all valid paths
	}
	return folder
}

// Demo is the artifact `pomerado demo` runs.
func Demo() fs.FS { return Folder(Heading) }
