package sdk

import (
	"context"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/jsrt"
)

// underWay is a request that a script waits for.
type underWay struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// requests adds sendHttp(request, token) and cancelHttp(token) to the host functions. The token is the script's name for its request.
func (s *SDK) requests(ctx context.Context, vm *goja.Runtime, set func(name string, f func(goja.FunctionCall) goja.Value)) {
	waiting := map[int64]underWay{} // the owner's
	set("sendHttp", func(call goja.FunctionCall) goja.Value {
		request, token := []byte(call.Argument(0).String()), call.Argument(1).ToInteger()
		own, cancel := context.WithCancel(ctx)
		one := underWay{cancel, make(chan struct{})}
		waiting[token] = one
		return s.rt.Go(vm, func(ctx context.Context) (jsrt.Finish, error) {
			defer context.AfterFunc(ctx, cancel)()
			answer, err := s.host.SendHTTP(own, request)
			close(one.done)
			cancel()
			return func(vm *goja.Runtime) (goja.Value, error) {
				delete(waiting, token)
				return vm.NewArray(string(answer.Head), vm.NewArrayBuffer(answer.Body)), nil
			}, err
		})
	})
	set("cancelHttp", func(call goja.FunctionCall) goja.Value {
		token := call.Argument(0).ToInteger()
		if one, ok := waiting[token]; ok {
			delete(waiting, token)
			one.cancel()
			<-one.done // the host has been told: what the script does next comes after it
		}
		return goja.Undefined()
	})
}
