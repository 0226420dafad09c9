package browser

import (
	"context"
	"net/url"
	"slices"
)

// permissionNames are Playwright's names and CDP's. The clipboard is shared by all runs and never granted.
var permissionNames = map[string]string{
	"geolocation": "geolocation", "midi": "midi", "midi-sysex": "midiSysex", "notifications": "notifications", "camera": "videoCapture",
	"microphone": "audioCapture", "background-sync": "backgroundSync", "ambient-light-sensor": "sensors", "accelerometer": "sensors",
	"gyroscope": "sensors", "magnetometer": "sensors", "payment-handler": "paymentHandler", "storage-access": "storageAccess",
	"local-fonts": "localFonts", "local-network-access": "localNetworkAccess",
}

func (c *Context) grantPermissions(ctx context.Context, api string, permissions []string, origin string) error {
	return c.run(ctx, api, func(o *op) error { return c.doGrant(o, permissions, origin) })
}

func (c *Context) doGrant(o *op, permissions []string, origin string) error {
	host, err := c.host()
	if err != nil {
		return err
	}
	if origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" {
			return plainError("Invalid URL")
		}
		origin = u.Scheme + "://" + u.Host
	}
	for _, name := range permissions {
		switch {
		case name == "clipboard-read" || name == "clipboard-write":
			return plainError("The permission " + name + " is not granted here: one clipboard serves all runs. Read the text from the page instead.")
		case permissionNames[name] == "":
			return plainError("Unknown permission: " + name)
		}
	}
	c.browser.mu.Lock()
	if c.granted == nil {
		c.granted = map[string][]string{}
	}
	for _, name := range permissions {
		if !slices.Contains(c.granted[origin], name) {
			c.granted[origin] = append(c.granted[origin], name)
		}
	}
	list := []string{}
	for _, name := range c.granted[origin] {
		if !slices.Contains(list, permissionNames[name]) {
			list = append(list, permissionNames[name])
		}
	}
	c.browser.mu.Unlock()
	return host.GrantPermissions(o.ctx, c.ID(), origin, list)
}

func (c *Context) clearPermissions(ctx context.Context, api string) error {
	return c.run(ctx, api, func(o *op) error {
		host, err := c.host()
		if err != nil {
			return err
		}
		c.browser.mu.Lock()
		c.granted = nil
		c.browser.mu.Unlock()
		return host.ResetPermissions(o.ctx, c.ID())
	})
}
