package agent

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/report"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// mostKeys is how many keys have a series of their own; the rest is "other".
const mostKeys = 20

// Metrics are the numbers of one agent. A nil Metrics takes none.
type Metrics struct {
	registry    *prometheus.Registry
	items       *prometheus.GaugeVec
	changes     *prometheus.CounterVec
	repaired    *prometheus.CounterVec
	repairTime  prometheus.Histogram
	contended   prometheus.Gauge
	shadowed    prometheus.Gauge
	errors      *prometheus.CounterVec
	success     prometheus.Gauge
	generations *prometheus.GaugeVec
	reloads     *prometheus.CounterVec
	reloadsSeen int // of those counted already
	keys        map[item.Key]bool
}

// NewMetrics returns metrics that say which version runs.
func NewMetrics(version string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), keys: map[item.Key]bool{}}
	m.items = m.gauges("hostprofile_items", "Settings that are wanted on this node, by how they are.", "section", "outcome")
	m.changes = m.counters("hostprofile_changes_total", "Settings that were changed.", "section", "cause")
	m.repaired = m.counters("hostprofile_drift_repaired_total", "Settings that others changed and that were set again.", "key")
	m.repairTime = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "hostprofile_drift_repair_seconds", Help: "Time from noticing a drift to its repair.",
		Buckets: []float64{.005, .025, .1, .25, .5, 1, 2, 5},
	})
	m.contended = m.gauge("hostprofile_contended_items", "Settings that somebody else keeps changing.")
	m.shadowed = m.gauge("hostprofile_boot_shadowed_items", "Settings that a file of the host sets otherwise at the next boot.")
	m.errors = m.counters("hostprofile_apply_errors_total", "Settings that did not hold after a run, and runs that were refused.", "reason")
	m.success = m.gauge("hostprofile_last_success_timestamp_seconds", "When all that is required held last.")
	m.generations = m.gauges("hostprofile_observed_generation", "Generation of each HostProfile that this node follows.", "profile")
	m.reloads = m.counters("hostprofile_firewalld_reloads_total", "How often others reloaded or restarted firewalld.", "backend")
	build := m.gauges("hostprofile_build_info", "Version of this program.", "version")
	build.WithLabelValues(version).Set(1)
	m.registry.MustRegister(m.repairTime)
	return m
}

func (m *Metrics) gauges(name, help string, labels ...string) *prometheus.GaugeVec {
	v := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(v)
	return v
}

func (m *Metrics) counters(name, help string, labels ...string) *prometheus.CounterVec {
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(v)
	return v
}

func (m *Metrics) gauge(name, help string) prometheus.Gauge {
	v := prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	m.registry.MustRegister(v)
	return v
}

// Handler serves the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// changed counts one change of the host.
func (m *Metrics) changed(r *item.Result, cause string, noticed time.Time) {
	if m == nil {
		return
	}
	m.changes.WithLabelValues(string(r.Key.Kind()), cause).Inc()
	if !r.Drift {
		return
	}
	m.repaired.WithLabelValues(m.label(r.Key)).Inc()
	if !noticed.IsZero() {
		m.repairTime.Observe(time.Since(noticed).Seconds())
	}
}

func (m *Metrics) label(k item.Key) string {
	if !m.keys[k] && len(m.keys) >= mostKeys {
		return "other"
	}
	m.keys[k] = true
	return string(k)
}

func (m *Metrics) refused() {
	if m != nil {
		m.errors.WithLabelValues("Refused").Inc()
	}
}

// reloaded counts the reloads of firewalld, of which there were so many since the start.
func (m *Metrics) reloaded(backend string, total int) {
	if m == nil || backend == "" {
		return
	}
	m.reloads.WithLabelValues(backend).Add(float64(max(total-m.reloadsSeen, 0)))
	m.reloadsSeen = total
}

// observe takes the gauges from a report.
func (m *Metrics) observe(s *report.Situation, r *report.Report) {
	if m == nil {
		return
	}
	m.items.Reset()
	results := s.Run.Report.Results()
	for i := range results {
		res := &results[i]
		m.items.WithLabelValues(string(res.Key.Kind()), string(res.Outcome)).Inc()
		if !res.OK() {
			m.errors.WithLabelValues(string(res.Reason)).Inc()
		}
	}
	m.contended.Set(float64(len(s.Fights)))
	m.shadowed.Set(float64(shadowedKeys(s)))
	m.generations.Reset()
	for _, p := range s.Profiles {
		if p.State != wish.Releasing {
			m.generations.WithLabelValues(p.Name).Set(float64(p.Generation))
		}
	}
	if s.Refused == nil && r.Status.State != v1alpha1.NodeDegraded {
		m.success.SetToCurrentTime()
	}
}

func shadowedKeys(s *report.Situation) int {
	keys := map[item.Key]bool{}
	for i := range s.Overrides {
		if s.Overrides[i].BeatsOurs {
			keys[s.Overrides[i].Key] = true
		}
	}
	return len(keys)
}
