package hostops_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/hostname"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// named is a host of a name.
func named(t *testing.T, name string) *fake.Host {
	t.Helper()
	h := fake.New()
	h.SetDefault("kernel/hostname", name)
	h.Reboot()
	return h
}

func TestAHostIsGivenTimeToGetItsName(t *testing.T) {
	for _, placeholder := range []string{"localhost", "localhost.localdomain", "(none)", ""} {
		h := named(t, placeholder)
		start := h.Now()
		h.After(7*time.Second, func() { _ = h.SetSysctl("kernel/hostname", "HostA01") })
		n, err := open(t, h).Hostname(t.Context())
		if err != nil || n.Name != "hosta01" || n.Raw != "HostA01" || n.Warning() == "" {
			t.Errorf("%q: %+v, %v", placeholder, n, err)
		}
		if took := h.Now().Sub(start); took < 7*time.Second || took > 8*time.Second {
			t.Errorf("%q: it took %s", placeholder, took)
		}
	}
}

func TestAHostThatGetsNoNameIsRefusedInTheEnd(t *testing.T) {
	h := named(t, "localhost")
	start := h.Now()
	_, err := open(t, h).Hostname(t.Context())
	var e *item.Error
	if !errors.As(err, &e) || e.Reason != hostname.Missing || e.Fix == "" {
		t.Errorf("%v", err)
	}
	if took := h.Now().Sub(start); took != 30*time.Second {
		t.Errorf("it took %s", took)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := open(t, named(t, "")).Hostname(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestANameThatNoNodeCanHaveIsRefusedAtOnce(t *testing.T) {
	h := named(t, "my_host")
	start, before := h.Now(), h.Mutations()
	n, err := open(t, h).Hostname(t.Context())
	var e *item.Error
	if !errors.As(err, &e) || e.Reason != hostname.Invalid || n.Name != "" {
		t.Errorf("%+v, %v", n, err)
	}
	if h.Now() != start || h.Mutations() != before {
		t.Error("it waited, or changed the host")
	}
}

func TestANameInLowerCaseIsNoNews(t *testing.T) {
	if n, err := open(t, named(t, "node-1.example.net")).Hostname(t.Context()); err != nil || n.Warning() != "" {
		t.Errorf("%+v, %v", n, err)
	}
}
