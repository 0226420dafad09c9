package outcome

// Refusals are the refusals an output schema declares, spec §6.6.
type Refusals struct {
	// Unreadable: the schema mentions a refused status that cannot be read as a declared refusal, so it declares none.
	Unreadable bool

	branches []refusalBranch
}

type refusalBranch struct{ reasons []string }
