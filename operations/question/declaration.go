package question

// Declaration is a question as an operation declares it: all of it but the options, which come from the page at run time.
type Declaration struct {
	// Type is Choice for the legacy form that has a prompt alone.
	Type   Type
	Prompt string

	// choice, multi_choice
	AllowOther, AllowNote bool
	// multi_choice; nil means 1 and as many as are offered.
	MinSelections, MaxSelections *int
	// text, secret
	MaxLength *int
	// secret
	SecretKind SecretKind
	// confirm
	FollowUp *FollowUp

	// Legacy: declared as {prompt} alone.
	Legacy bool
}

// Declarations are an operation's questions by id.
type Declarations map[string]Declaration
