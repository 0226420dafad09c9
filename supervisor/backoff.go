package supervisor

import "time"

const (
	// quickDeath is how soon after its start an end counts as part of a crash loop.
	quickDeath = 10 * time.Second
	// maxBackoff bounds the wait between two starts of a crash loop.
	maxBackoff = 30 * time.Second
)

// backoff spaces out the starts of something that keeps dying. One death is answered by a start at once; each further one that comes soon
// after its start doubles the wait, from one second on. A life of ten seconds ends the loop.
type backoff struct {
	deaths int
}

// died notes an end after a life, and says how long to wait before the next start.
func (b *backoff) died(life time.Duration) time.Duration {
	if life >= quickDeath {
		b.deaths = 0
		return 0
	}
	b.deaths++
	if b.deaths == 1 {
		return 0
	}
	return min(maxBackoff, time.Second<<min(b.deaths-2, 10))
}
