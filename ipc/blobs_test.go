package ipc

import (
	"bytes"
	"errors"
	"testing"

	"github.com/pomerado-go/pomerado/ipc/workerpb"
)

func TestBlobsComeOutAsTheyWentIn(t *testing.T) {
	for _, size := range []int{0, 1, MaxChunk - 1, MaxChunk, MaxChunk + 1, 3*MaxChunk + 7, MaxBlob} {
		data := bytes.Repeat([]byte("abcdefg"), size/7+1)[:size]
		chunks, err := Split(1, data)
		if err != nil {
			t.Fatal(err)
		}
		blobs := NewBlobs(MaxBlob)
		for i, chunk := range chunks {
			if err := CheckWorker(workerChunk(chunk)); err != nil {
				t.Fatalf("chunk %d of %d bytes: %v", i, size, err)
			}
			if _, err := blobs.Take(1); err == nil {
				t.Fatal("an incomplete blob was handed over")
			}
			if err := blobs.Add(chunk); err != nil {
				t.Fatal(err)
			}
		}
		got, err := blobs.Take(1)
		if err != nil || got == nil || !bytes.Equal(got, data) {
			t.Fatalf("%d bytes in, %d out, %v", size, len(got), err)
		}
		if _, err := blobs.Take(1); !errors.Is(err, ErrBlob) {
			t.Fatalf("a blob was taken twice: %v", err)
		}
	}
}

func TestSplitRefusesWhatNoReceiverTakes(t *testing.T) {
	if _, err := Split(0, nil); !errors.Is(err, ErrBlob) {
		t.Errorf("id 0: %v", err)
	}
	if _, err := Split(1, make([]byte, MaxBlob+1)); !errors.Is(err, ErrBlob) {
		t.Errorf("too large: %v", err)
	}
}

func TestBlobsRefuse(t *testing.T) {
	part := func(id uint32, n int, last bool) *workerpb.Chunk {
		return &workerpb.Chunk{Blob: id, Data: make([]byte, n), Last: last}
	}
	full := NewBlobs(1 << 20)
	for id := range uint32(MaxBlobs) {
		if err := full.Add(part(id+1, 1, true)); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name   string
		blobs  *Blobs
		before []*workerpb.Chunk
		chunk  *workerpb.Chunk
	}{
		{"another blob in between", NewBlobs(100), []*workerpb.Chunk{part(1, 1, false)}, part(2, 1, true)},
		{"an id again", NewBlobs(100), []*workerpb.Chunk{part(3, 1, true)}, part(3, 1, true)},
		{"an older id", NewBlobs(100), []*workerpb.Chunk{part(3, 1, true)}, part(2, 1, true)},
		{"more than its room", NewBlobs(100), []*workerpb.Chunk{part(1, 60, true)}, part(2, 41, true)},
		{"one blob too large", NewBlobs(2 * MaxBlob), []*workerpb.Chunk{part(1, MaxBlob, false)}, part(1, 1, true)},
		{"one blob too many", full, nil, part(MaxBlobs+1, 1, true)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, chunk := range test.before {
				if err := test.blobs.Add(chunk); err != nil {
					t.Fatal(err)
				}
			}
			if err := test.blobs.Add(test.chunk); !errors.Is(err, ErrBlob) {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func TestTakingMakesRoom(t *testing.T) {
	blobs := NewBlobs(10)
	for id := uint32(1); id <= 100; id++ {
		if err := blobs.Add(&workerpb.Chunk{Blob: id, Data: make([]byte, 10), Last: true}); err != nil {
			t.Fatal(err)
		}
		if _, err := blobs.Take(id); err != nil {
			t.Fatal(err)
		}
	}
	if blobs.Held() != 0 {
		t.Fatalf("%d held", blobs.Held())
	}
}
