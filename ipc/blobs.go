package ipc

import (
	"errors"
	"fmt"

	"github.com/pomerado-go/pomerado/ipc/workerpb"
)

// ErrBlob is wrapped by every error that says a sender broke the rules of blobs.
var ErrBlob = errors.New("blob refused")

// Split cuts data into the chunks of blob id, which share data's memory. Empty data is one empty last chunk. The id must be
// positive and larger than every id its sender used before in the session.
func Split(id uint32, data []byte) ([]*workerpb.Chunk, error) {
	if id == 0 {
		return nil, fmt.Errorf("%w: blob ids start at 1", ErrBlob)
	}
	if len(data) > MaxBlob {
		return nil, fmt.Errorf("%w: %d bytes, at most %d fit", ErrBlob, len(data), MaxBlob)
	}
	chunks := make([]*workerpb.Chunk, 0, len(data)/MaxChunk+1)
	for len(data) > MaxChunk {
		chunks = append(chunks, &workerpb.Chunk{Blob: id, Data: data[:MaxChunk:MaxChunk]})
		data = data[MaxChunk:]
	}
	return append(chunks, &workerpb.Chunk{Blob: id, Data: data, Last: true}), nil
}

// Blobs assembles the chunks one side receives. It holds at most a set number of bytes in at most MaxBlobs blobs, counting
// the unfinished one; whoever takes a blob makes room for the next. Not for use by several goroutines at once.
type Blobs struct {
	room    int               // bytes that may still come before something is taken
	ready   map[uint32][]byte // complete, not taken
	open    []byte            // the blob whose chunks are arriving
	openID  uint32            // 0 when none is
	highest uint32            // the largest id seen
}

// NewBlobs makes a collector that holds at most total bytes at a time.
func NewBlobs(total int) *Blobs {
	return &Blobs{room: total, ready: map[uint32][]byte{}}
}

// Add takes the next chunk, which must have passed CheckHost or CheckWorker. Chunks of one blob follow each other without
// another blob's between them, and ids rise from blob to blob, so that a name once used never means anything else.
func (b *Blobs) Add(chunk *workerpb.Chunk) error {
	id, data := chunk.GetBlob(), chunk.GetData()
	if b.openID == 0 {
		if id <= b.highest {
			return fmt.Errorf("%w: id %d does not follow %d", ErrBlob, id, b.highest)
		}
		if len(b.ready) >= MaxBlobs {
			return fmt.Errorf("%w: %d blobs wait to be used already", ErrBlob, len(b.ready))
		}
		b.openID, b.highest = id, id
	}
	if id != b.openID {
		return fmt.Errorf("%w: a chunk of %d while %d is incomplete", ErrBlob, id, b.openID)
	}
	if len(b.open)+len(data) > MaxBlob {
		return fmt.Errorf("%w: %d is larger than %d bytes", ErrBlob, id, MaxBlob)
	}
	if len(data) > b.room {
		return fmt.Errorf("%w: %d passes what this side holds at a time", ErrBlob, id)
	}
	b.room -= len(data)
	b.open = append(b.open, data...)
	if chunk.GetLast() {
		b.ready[id] = b.open
		b.open, b.openID = nil, 0
	}
	return nil
}

// Take hands over a complete blob and forgets it. A blob can be taken once; id 0 and incomplete blobs are errors.
func (b *Blobs) Take(id uint32) ([]byte, error) {
	data, ok := b.ready[id]
	if !ok {
		return nil, fmt.Errorf("%w: there is no complete blob %d", ErrBlob, id)
	}
	delete(b.ready, id)
	b.room += len(data)
	if data == nil {
		data = []byte{}
	}
	return data, nil
}

// Held is how many complete blobs wait to be taken.
func (b *Blobs) Held() int { return len(b.ready) }
