package artifact

import (
	"fmt"
	"slices"
	"unicode/utf16"
)

// Bounds of a deployment's texts, in UTF-16 code units.
const (
	MaxDescription = 4096
	MaxIntent      = 16384
)

// helperTools are names a served operation cannot have.
var helperTools = []string{"mint", "get_job", "provide_input", "cancel_job"}

const deploymentFix = "Correct it, or pack the operation again"

// deploymentOnDisk is deployment.json, its keys in the order they are written.
type deploymentOnDisk struct {
	Name        *string `json:"name"`
	Description *string `json:"description"`
	Request     *struct {
		URL                   *string   `json:"url"`
		Intent                *string   `json:"intent"`
		Effect                *string   `json:"effect"`
		AuthenticationOrigins *[]string `json:"authenticationOrigins,omitempty"`
	} `json:"request"`
}

func decodeDeployment(text []byte) (*Deployment, error) {
	var onDisk deploymentOnDisk
	if err := decodeFile(DeploymentName, text, &onDisk, BadDeployment, deploymentFix); err != nil {
		return nil, err
	}
	if onDisk.Request == nil {
		return nil, badDeployment("/request", "the key is missing")
	}
	d := &Deployment{}
	for _, key := range []struct {
		pointer string
		from    *string
		to      *string
	}{
		{"/name", onDisk.Name, &d.Name}, {"/description", onDisk.Description, &d.Description}, {"/request/url", onDisk.Request.URL, &d.URL},
		{"/request/intent", onDisk.Request.Intent, &d.Intent}, {"/request/effect", onDisk.Request.Effect, &d.Effect},
	} {
		if key.from == nil {
			return nil, badDeployment(key.pointer, "the key is missing")
		}
		*key.to = *key.from
	}
	if onDisk.Request.AuthenticationOrigins != nil {
		d.AuthenticationOrigins = *onDisk.Request.AuthenticationOrigins
	}
	return d, d.check()
}

func badDeployment(pointer, problem string) error {
	return &Error{Code: BadDeployment, Path: DeploymentName, Pointer: pointer, Problem: problem, Fix: deploymentFix}
}

func (d *Deployment) check() error {
	if problem := BadName(d.Name); problem != "" {
		return badDeployment("/name", "the name "+problem)
	}
	if n := units(d.Description); n < 1 || n > MaxDescription {
		return badDeployment("/description", fmt.Sprintf("the description must have 1 to %d characters", MaxDescription))
	}
	if _, problem := webAddress(d.URL); problem != "" {
		return badDeployment("/request/url", "the site's address "+problem)
	}
	if n := units(d.Intent); n < 1 || n > MaxIntent {
		return badDeployment("/request/intent", fmt.Sprintf("the intent must have 1 to %d characters", MaxIntent))
	}
	if d.Effect != "read" && d.Effect != "write" {
		return badDeployment("/request/effect", "the effect must be read or write")
	}
	for i, origin := range d.AuthenticationOrigins {
		if _, problem := webAddress(origin); problem != "" {
			return badDeployment(fmt.Sprintf("/request/authenticationOrigins/%d", i), "the address "+problem)
		}
	}
	return nil
}

// BadName says why a served operation cannot be called name; "" when it can.
func BadName(name string) string {
	fits := name != "" && len(name) <= 64 && name[0] >= 'a' && name[0] <= 'z'
	for i := range len(name) {
		c := name[i]
		fits = fits && (c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9')
	}
	switch {
	case !fits:
		return "must start with a lower-case letter and hold at most 64 of a-z, 0-9 and _"
	case slices.Contains(helperTools, name):
		return "is taken by a tool every server has"
	}
	return ""
}

func units(text string) int { return len(utf16.Encode([]rune(text))) }
