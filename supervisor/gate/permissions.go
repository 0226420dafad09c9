package gate

import (
	"context"
	"fmt"
	"slices"
)

// grantable are the permissions a run may give its pages, by CDP's names. Left out is what reaches beyond the tab: the clipboard, which
// all runs of a browser share, and devices and screens of the machine.
var grantable = []string{
	"backgroundFetch",
	"backgroundSync",
	"durableStorage",
	"geolocation", // of the position the script sets
	"idleDetection",
	"localFonts",
	"localNetwork", // the run's egress decides what is reached
	"localNetworkAccess",
	"loopbackNetwork",
	"notifications",
	"paymentHandler",
	"periodicBackgroundSync",
	"pointerLock",
	"sensors",
	"storageAccess",
	"wakeLockScreen",
	"windowManagement",
}

// GrantPermissions grants permissions in a context, by CDP's names, to one origin or (empty) to every page. Those already granted to the
// origin are replaced.
func (r *Run) GrantPermissions(ctx context.Context, contextID, origin string, permissions []string) error {
	if err := r.owns(contextID); err != nil {
		return err
	}
	for _, permission := range permissions {
		if !slices.Contains(grantable, permission) {
			return fmt.Errorf("the permission %.64q reaches beyond the run's own pages: %w", permission, ErrRefused)
		}
	}
	params := map[string]any{"browserContextId": contextID, "permissions": permissions}
	if permissions == nil {
		params["permissions"] = []string{}
	}
	if origin != "" {
		params["origin"] = origin
	}
	if err := r.gate.call(ctx, nil, "Browser.grantPermissions", params, nil); err != nil {
		return fmt.Errorf("granting permissions: %w", err)
	}
	return nil
}

// ResetPermissions takes back every permission granted in a context.
func (r *Run) ResetPermissions(ctx context.Context, contextID string) error {
	if err := r.owns(contextID); err != nil {
		return err
	}
	if err := r.gate.call(ctx, nil, "Browser.resetPermissions", map[string]any{"browserContextId": contextID}, nil); err != nil {
		return fmt.Errorf("resetting permissions: %w", err)
	}
	return nil
}
