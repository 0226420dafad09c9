package supervisor_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/supervisor"
	"github.com/pomerado-go/pomerado/testdata/site"
)

// A Go program runs a saved artifact on a site. Workers are the pomerado binary's: name it in Options.Worker, or have it in PATH.
func Example() {
	web, err := site.Start() // a site to run on; yours is on the web
	if err != nil {
		log.Fatal(err)
	}
	defer web.Close()

	s, err := supervisor.New(supervisor.Options{Worker: workerCommand()})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()

	saved, err := artifact.Load("../testdata/artifacts/chart")
	if err != nil {
		log.Fatal(err)
	}
	ended, err := s.Run(context.Background(), supervisor.Request{
		Artifact: saved,
		URL:      web.URL,
		Effect:   outcome.Read,
		Input:    []byte(`{"station":"North Pier"}`),
	})
	if err != nil {
		log.Fatal(err) // no run could be made
	}
	fmt.Println(ended.Status)
	fmt.Println(string(ended.Output))
	// Output:
	// completed
	// {"caption":"North Pier, today","readings":[{"hour":"06:00","celsius":7.5},{"hour":"07:00","celsius":null}]}
}
