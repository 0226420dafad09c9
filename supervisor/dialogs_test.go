package supervisor

import (
	"testing"

	"github.com/pomerado-go/pomerado/operations/artifact"
)

func TestConfirmDigestIsTheRecordedOne(t *testing.T) {
	const want = "fb822570897b062c5ce17160ff617a3a7fae722bd2e5a34f29cd5a8d4ebf399c"
	for _, message := range []string{"Place this order?", "  Place\tthis \n order? "} {
		if got := confirmDigest(message, "https://confirm-popups.test", "place-order"); got != want {
			t.Errorf("digest of %q = %s, want %s", message, got, want)
		}
	}
	for _, other := range [][3]string{
		{"place this order?", "https://confirm-popups.test", "place-order"},
		{"Place this order?", "http://confirm-popups.test", "place-order"},
		{"Place this order?", "https://confirm-popups.test", "pay-order"},
	} {
		if confirmDigest(other[0], other[1], other[2]) == want {
			t.Errorf("%q has the same digest", other)
		}
	}
}

func TestRecordedConfirmServesOnce(t *testing.T) {
	r := newRecordedConfirms([]artifact.AcceptedConfirm{{Digest: confirmDigest("Go?", "https://a.test", "go")}})
	if r.take("Go?", "https://a.test", "stop") {
		t.Error("a confirm of another step was accepted")
	}
	if !r.take("Go?", "https://a.test", "go") || r.take("Go?", "https://a.test", "go") {
		t.Error("the record did not serve exactly once")
	}
}
