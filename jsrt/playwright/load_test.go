package playwright

import (
	"testing"

	"github.com/pomerado-go/pomerado/jsrt"
)

// What a run pays for page code before its first call.
func TestLoadingAgainIsCheapAndLeavesNothing(t *testing.T) {
	s := open(t)
	for range 20 {
		rt := jsrt.New(s.ctx, RuntimeOptions())
		code, err := Load(s.ctx, rt, s.page)
		if err != nil {
			t.Fatal(err)
		}
		reply, err := code.Execute(s.ctx, `return typeof page.goto`)
		if err != nil || string(reply.Result) != `"function"` {
			t.Fatalf("%+v, %v", reply, err)
		}
		rt.Close()
	}
}
