package artifact

import "encoding/json"

// Recipe is a recorded sign-in, value-free: which screens to expect, which fields they have, how to tell that it worked.
type Recipe struct {
	Version  int
	Steps    []RecipeStep
	SignedIn SignedIn
	// Workspace is the version 4 relation between accounts and hosts, as saved; nil when there is none.
	Workspace json.RawMessage
}

// RecipeStep is one screen.
type RecipeStep struct {
	// Page is origin and path of the screen.
	Page            string
	Approval        string
	Popup           *RecipePopup
	RejectedMarkers []RejectedMarker
	Fields          []RecipeField
	Submit          string
	SubmittedBy     string
	Methods         []RecipeMethod

	// Refills, Dismiss, AnySegments and SubmitVia are what versions 5 to 8 add, as saved; nil when absent.
	Refills, Dismiss, AnySegments, SubmitVia json.RawMessage
}

// RecipePopup is the window a screen opens in.
type RecipePopup struct {
	Opener string
	Origin string
}

// RejectedMarker is what shows when the site refuses a value.
type RejectedMarker struct {
	Slot     string
	Selector string
}

// RecipeField is one field of a screen: an identifier when Accepts is set, else the secret Slot.
type RecipeField struct {
	Selector         string
	Accepts          []string
	Slot             string
	Format           string
	Control          string
	QuestionSelector string
}

// RecipeMethod is one way of a two-factor choice screen.
type RecipeMethod struct {
	Method   string
	Selector string
}

// SignedIn says how to tell that the sign-in worked.
type SignedIn struct {
	Selector string
	URLPath  string
	OpenPath string
}
