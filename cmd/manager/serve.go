package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"
)

// serveAgain is how long to wait for an address that somebody else has.
const serveAgain = 15 * time.Second

// serve answers at an address until ctx ends. An address that cannot be had is told and
// tried again: the host matters more than who asks about it.
func serve(ctx context.Context, address string, pages http.Handler, log *slog.Logger) {
	for address != "" && ctx.Err() == nil {
		s := &http.Server{Addr: address, Handler: pages, ReadHeaderTimeout: 5 * time.Second}
		end := context.AfterFunc(ctx, func() { _ = s.Close() })
		err := s.ListenAndServe()
		end()
		if errors.Is(err, http.ErrServerClosed) {
			return
		}
		log.Warn("cannot serve", "address", address, "err", err)
		select {
		case <-ctx.Done():
		case <-time.After(serveAgain):
		}
	}
}
