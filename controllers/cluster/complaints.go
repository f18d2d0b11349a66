package cluster

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"
)

// complainEvery is how often trouble with the API server is logged, of whatever kind.
const complainEvery = 30 * time.Second

// complaints log that something goes wrong, now and then.
type complaints struct {
	log  *slog.Logger
	mu   sync.Mutex
	last time.Time
	kept int // not logged since
}

// about logs that something cannot be done, unless something was logged just now.
func (c *complaints) about(what string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); c.last.IsZero() || now.Sub(c.last) >= complainEvery {
		c.log.Warn("cannot "+what+"; what was accepted last stays in force", "err", shorten(err), "more", c.kept)
		c.last, c.kept = now, 0
		return
	}
	c.kept++
}

// shorten bounds what a server can write into our log.
func shorten(err error) string {
	const most = 1024
	text := err.Error()
	if text == "" { // what answers is not the API server
		return fmt.Sprintf("the answer has no message, and the reason %q", apierrors.ReasonForError(err))
	}
	return text[:min(len(text), most)]
}

// quiet keeps the libraries below from logging every failure by themselves.
func quiet(ctx context.Context) context.Context { return klog.NewContext(ctx, logr.Discard()) }
