package sysctl_test

import (
	"fmt"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// manyKeys returns a host with that many keys, and a value for each.
func manyKeys(n int) (*fake.Host, map[item.Key]item.State) {
	options := []fake.Option{fake.Bare()}
	lines := make(map[item.Key]item.State, n)
	for i := range n {
		name := sysctl.Name(fmt.Sprintf("test.d%d.key%d", i%100, i))
		options = append(options, fake.Sysctl(name.Path(), "1"))
		lines[sysctl.Key(name)] = item.Text("2")
	}
	return fake.New(options...), lines
}

func BenchmarkObserve(b *testing.B) {
	h, lines := manyKeys(1000)
	op := sysctl.New(h.Machine(), "boot")
	for b.Loop() {
		for k := range lines {
			op.Traits(k)
			if _, err := op.Observe(b.Context(), k); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(lines)), "ns/key")
}

// BenchmarkExpand is five patterns over two hundred interfaces.
func BenchmarkExpand(b *testing.B) {
	attributes := []string{"log_martians", "arp_notify", "shared_media", "send_redirects", "arp_filter"}
	options := []fake.Option{fake.Bare()}
	wants := make([]item.Want, len(attributes))
	for i, a := range attributes {
		wants[i] = item.Want{Key: sysctl.Key(sysctl.Name("net.ipv4.conf.b*." + a)), State: item.Text("1")}
		for link := range 200 {
			options = append(options, fake.Sysctl(fmt.Sprintf("net/ipv4/conf/b%d/%s", link, a), "0"))
		}
	}
	op := sysctl.New(fake.New(options...).Machine(), "boot")
	b.ReportAllocs()
	for b.Loop() {
		single, _, err := op.Expand(b.Context(), wants)
		if err != nil || len(single) != 200*len(attributes) {
			b.Fatal(len(single), err)
		}
	}
}

func BenchmarkBootFile(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h, lines := manyKeys(n)
			file := sysctl.NewBootFile(h.Machine())
			for b.Loop() {
				file.Lines(file.Render(lines, nil))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/key")
		})
	}
}
