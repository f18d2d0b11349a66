package agent_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/hostprofile/hostprofile/controllers/wish"
)

// page returns what a scraper gets.
func (w *world) page() string {
	w.t.Helper()
	rec := httptest.NewRecorder()
	w.metrics.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return rec.Body.String()
}

func TestMetricsFollowTheRulesOfPrometheusAndSayWhatHappened(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"), `broken "sysctls":[{"name":"vm.no_such_key","value":1}]`)
	_ = w.host.SetSysctl(swappiness, "60")
	w.step()
	page := w.page()
	problems, err := promlint.New(strings.NewReader(page)).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	for _, line := range []string{
		`hostprofile_items{outcome="Changed",section="sysctl"} 1`,
		`hostprofile_changes_total{cause="cluster",section="sysctl"} 1`,
		`hostprofile_changes_total{cause="drift",section="sysctl"} 1`,
		`hostprofile_drift_repaired_total{key="sysctl/vm.swappiness"} 1`,
		`hostprofile_apply_errors_total{reason="KeyNotFound"} 2`,
		`hostprofile_observed_generation{profile="site"} 1`,
		`hostprofile_contended_items 0`,
		`hostprofile_build_info{version="test"} 1`,
	} {
		if !strings.Contains(page, line+"\n") {
			t.Errorf("no %s in\n%s", line, page)
		}
	}
}

// It is when nobody hears the API server that a scraper is asked.
func TestMetricsSayHowTheHostIsWithoutACluster(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"), `broken "sysctls":[{"name":"vm.no_such_key","value":1}]`)
	w.server.view, w.server.silent = wish.View{}, true
	w.restart()
	w.step()
	for _, line := range []string{`hostprofile_items{outcome="Right",section="sysctl"} 1`, `hostprofile_apply_errors_total{reason="KeyNotFound"} 1`} {
		if page := w.page(); !strings.Contains(page, line+"\n") {
			t.Errorf("no %s in\n%s", line, page)
		}
	}
}
