package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/jsrt/sdk"
	"github.com/pomerado-go/pomerado/workers/browser"
)

// readBack reads what a file input holds: how many files, the first one's size and its name.
const readBack = `node => node.files.length + " " + (node.files[0]?.size ?? -1) + " " + (node.files[0]?.name ?? "")`

func refusedFile(reason, message string) error {
	return &sdk.Refused{Code: ipc.FileRefused(reason), Message: message}
}

// PlaceFile asks whether the run may place the file, finds the field, and has the supervisor put the file into it.
func (h *scriptHost) PlaceFile(ctx context.Context, reference string, field sdk.FileField, timeout time.Duration) (sdk.PlacedFile, error) {
	ask := func(p *workerpb.FilePlace) (sdk.PlacedFile, error) {
		p.Reference, p.TimeoutMs = reference, timeout.Milliseconds()
		reply, err := h.request(ctx, &workerpb.Request{Kind: &workerpb.Request_FilePlace{FilePlace: p}})
		placed := reply.GetFilePlace()
		return sdk.PlacedFile{Name: placed.GetName(), MediaType: placed.GetMediaType(), Size: placed.GetSize()}, err
	}
	if _, err := ask(&workerpb.FilePlace{}); err != nil {
		return sdk.PlacedFile{}, err
	}
	pages, err := h.openedPages(ctx)
	if err != nil {
		return sdk.PlacedFile{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	element, err := pages.fileField(ctx, field, timeout)
	if err != nil {
		return sdk.PlacedFile{}, err
	}
	defer func() { _ = element.Dispose(ctx) }()
	session, node, err := element.Node(ctx)
	if err != nil {
		return sdk.PlacedFile{}, refusedFile("field_not_found", "the field is gone")
	}
	placed, err := ask(&workerpb.FilePlace{SessionId: session, BackendNodeId: node})
	if err != nil {
		return placed, err
	}
	held, err := element.Evaluate(ctx, browser.Function(readBack), browser.Undefined{})
	if err != nil || held != fmt.Sprintf("1 %d %s", placed.Size, placed.Name) {
		return placed, refusedFile("unavailable", "the field does not show the file after it was set")
	}
	return placed, nil
}

// fileField finds the one element that is the field.
func (p *pages) fileField(ctx context.Context, field sdk.FileField, timeout time.Duration) (*browser.ElementHandle, error) {
	p.calling.Lock()
	defer p.calling.Unlock()
	if p.gone != nil {
		return nil, p.gone
	}
	var locator *browser.Locator
	var err error
	switch {
	case field.Label != "":
		locator = p.first.GetByLabel(browser.Text{String: field.Label, Exact: field.Exact})
	case field.Selector != "":
		locator, err = p.first.Locator(field.Selector, browser.LocatorOptions{})
	default:
		locator, err = p.code.Locator(ctx, field.Code)
	}
	if err != nil {
		return nil, refusedFile("field_not_found", fmt.Sprintf("the field cannot be looked for: %v", err))
	}
	element, err := locator.ElementHandle(ctx, browser.TimeoutOptions{Timeout: &timeout})
	if err != nil {
		return nil, refusedFile("field_not_found", fmt.Sprintf("not exactly one element is the field: %v", err))
	}
	return element, nil
}

// ArmDownload asks for a slot of the downloads that begin from now on.
func (h *scriptHost) ArmDownload(ctx context.Context) (string, error) {
	reply, err := h.request(ctx, &workerpb.Request{Kind: &workerpb.Request_FileArm{FileArm: &workerpb.FileArm{}}})
	return reply.GetFileArm().GetSlot(), err
}

// CollectFile asks for the first download of a slot.
func (h *scriptHost) CollectFile(ctx context.Context, slot string, timeout time.Duration) (json.RawMessage, error) {
	collect := &workerpb.FileCollect{Slot: slot, TimeoutMs: timeout.Milliseconds()}
	reply, err := h.request(ctx, &workerpb.Request{Kind: &workerpb.Request_FileCollect{FileCollect: collect}})
	if err != nil {
		return nil, err
	}
	file := reply.GetFileCollect().GetFile()
	if file == "" {
		return nil, errors.New("the supervisor answered without a file")
	}
	return json.RawMessage(file), nil
}
