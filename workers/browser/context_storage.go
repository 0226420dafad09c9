package browser

import (
	"context"
	"net/url"
	"slices"
)

const readLocalStorage = `function(){const list=[];for(let i=0;i<localStorage.length;i++){const name=localStorage.key(i);` +
	`if(name!==null)list.push({name,value:localStorage.getItem(name)??''})}return list}`

// storageState reads cookies, and localStorage of every origin that a frame of the context shows. Origins that were left are not
// visited again: that would be traffic the script did not ask for.
func (c *Context) storageState(ctx context.Context, api string, indexedDB bool) (state StorageState, err error) {
	err = c.run(ctx, api, func(o *op) error {
		if indexedDB {
			return plainError("storageState does not read IndexedDB here; leave out indexedDB.")
		}
		if state.Cookies, err = c.doCookies(o, nil); err != nil {
			return err
		}
		state.Origins = []OriginState{}
		for _, f := range c.originFrames() {
			ec := f.frame.existingWorld(utilityWorld)
			if ec == nil {
				continue
			}
			r, err := ec.callFunction(o.ctx, "", readLocalStorage, nil, true)
			if err != nil {
				if over := o.over(); over != nil {
					return over
				}
				continue
			}
			var items []StorageItem
			if unmarshal(r.Value, &items) == nil && len(items) > 0 {
				state.Origins = append(state.Origins, OriginState{Origin: f.origin, LocalStorage: items})
			}
		}
		return nil
	})
	return state, err
}

type originFrame struct {
	origin string
	frame  *Frame
}

// originFrames is one frame of each http origin in the context.
func (c *Context) originFrames() []originFrame {
	c.browser.mu.Lock()
	defer c.browser.mu.Unlock()
	var list []originFrame
	for _, p := range c.pages {
		for _, f := range p.attachedOrder {
			u, err := url.Parse(f.url)
			if err != nil || u.Scheme != "http" && u.Scheme != "https" {
				continue
			}
			origin := u.Scheme + "://" + u.Host
			if !slices.ContainsFunc(list, func(o originFrame) bool { return o.origin == origin }) {
				list = append(list, originFrame{origin, f})
			}
		}
	}
	return list
}

// restoreOrigins writes localStorage by an init script that runs once in the first document of each origin.
func (c *Context) restoreOrigins(o *op, origins []OriginState) error {
	for _, origin := range origins {
		if len(origin.LocalStorage) == 0 {
			continue
		}
		items := marshalStd(origin.LocalStorage)
		script := newInitScript("if(location.origin===" + quoteJSON(origin.Origin) + "&&!sessionStorage.getItem('__pomerado_restored__')){sessionStorage.setItem('__pomerado_restored__','1');" +
			"for(const i of " + string(items) + ")localStorage.setItem(i.name,i.value)}")
		c.browser.mu.Lock()
		c.initScripts = append(c.initScripts, script)
		c.browser.mu.Unlock()
	}
	return nil
}
