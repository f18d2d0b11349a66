package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/report"
	"github.com/hostprofile/hostprofile/controllers/wish"
)

// store is an API server that keeps what is applied, or refuses the status.
type store struct {
	refuses bool
	mu      sync.Mutex
	written
}

// written is what was written: how often, and what at last.
type written struct {
	statuses, node int
	last           string
}

func (s *store) have() written {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written
}

func (s *store) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if strings.HasPrefix(r.URL.Path, statusPath) {
		if s.refuses {
			return answered(r, http.StatusForbidden, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403}`), nil
		}
		s.statuses++
	} else {
		s.node++
	}
	s.last = string(body)
	var object map[string]any
	if err := yaml.Unmarshal(body, &object); err != nil {
		return nil, err
	}
	meta, _ := object["metadata"].(map[string]any)
	meta["resourceVersion"], meta["uid"] = fmt.Sprint(s.statuses+s.node), "node-1"
	text, err := json.Marshal(object)
	return answered(r, http.StatusOK, string(text)), err
}

func answered(r *http.Request, code int, body string) *http.Response {
	return &http.Response{
		StatusCode: code, Request: r, Body: io.NopCloser(bytes.NewBufferString(body)),
		Header: http.Header{"Content-Type": {"application/json"}},
	}
}

// publish runs a publisher of a node that is there and reports nothing yet.
func (s *store) publish(t *testing.T, do func(c *Cluster)) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{Node: "node-1", Log: slog.New(slog.DiscardHandler), Changed: func() {}})
		c.node = ownNode{known: true, exists: true, Node: wish.NodeOf("node-1", nil, nil, "")}
		c.own = ownStatus{known: true}
		a, err := newAPI(&rest.Config{Host: "http://server", Transport: s}, "node-1", "test")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(quiet(t.Context()))
		defer synctest.Wait()
		defer cancel()
		go c.publishing(ctx, a)
		do(c)
	})
}

func saying(message string) report.Report {
	at := v1alpha1.HostReport{State: v1alpha1.NodeDegraded, Conditions: []metav1.Condition{{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Reason: "X", Message: message}}}
	return report.Report{Status: at, Node: []report.NodeCondition{{Type: v1alpha1.NodeConditionReady, Status: metav1.ConditionFalse, Reason: "X", Message: message}}}
}

func TestTheNodeSaysHowItIsWhereTheStatusCannotBeWritten(t *testing.T) {
	s := &store{refuses: true}
	s.publish(t, func(c *Cluster) {
		c.Publish(saying("it fails"))
		time.Sleep(10 * time.Minute)
	})
	if have := s.have(); have.node != 1 || !strings.Contains(have.last, "it fails") {
		t.Errorf("%d writes to the Node, the last one %s", have.node, have.last)
	}
}

// Somebody changes a value that is told each second.
func TestWhatChangesAllTheTimeIsNoStormOfWrites(t *testing.T) {
	s := &store{}
	s.publish(t, func(c *Cluster) {
		for i := range 20 {
			c.Publish(saying(fmt.Sprint("change ", i)))
			time.Sleep(time.Second)
		}
		synctest.Wait()
		if have := s.have(); have.statuses != 20 || have.node != 20 {
			t.Errorf("%d and %d of 20 changes are told at once", have.statuses, have.node)
		}
		for i := range 3600 {
			c.Publish(saying(fmt.Sprint("value ", i)))
			time.Sleep(time.Second)
		}
		synctest.Wait()
		if have := s.have(); max(have.statuses, have.node) > 20+5*60 {
			t.Errorf("%d and %d writes in an hour", have.statuses, have.node)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if have := s.have(); !strings.Contains(have.last, "value 3599") {
			t.Errorf("at last %s", have.last)
		}
	})
}
