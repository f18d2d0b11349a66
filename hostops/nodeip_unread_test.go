package hostops_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// unread is a host whose saved address nobody knows any more: the record was lost as well.
func unread(t *testing.T, text string) *fake.Host {
	t.Helper()
	h := wired()
	mustUp(t, h, plainIP+", "+otherNoise, hostops.NodeIPOptions{})
	h.PutFile(stateFile, text)
	h.Delete(paths.Ledger)
	if _, err := open(t, h).Up(t.Context(), nil, hostops.UpOptions{Adopt: true}); err != nil {
		t.Fatal(err)
	}
	return h
}

// TestASavedAddressThatNobodyKnowsKeepsNothingElseFromBeingApplied: neither is another one
// chosen, although the rules would choose one now, nor is what is published taken away.
func TestASavedAddressThatNobodyKnowsKeepsNothingElseFromBeingApplied(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "half": `{"major":1,"node`, "newer": `{"major":2,"nodeIP":"192.0.2.10"}`, "no address": `{"major":1,"nodeIP":"x"}`} {
		h := unread(t, text)
		h.RemoveIP("eth0", "192.0.2.10")
		h.AddIP("eth0", "192.0.2.20/24")
		if err := h.SetSysctl("vm/swappiness", "60"); err != nil {
			t.Fatal(err)
		}
		published := content(h, nodeEnv)
		for _, spec := range []string{plainIP + ", " + otherNoise, otherNoise} {
			report, err := as(t, h, hostops.NodeIPOptions{}).Up(t.Context(), site(t, spec), hostops.UpOptions{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if res := resultOf(t, report, nodeip.Key); res.OK() || res.Reason != nodeip.Unreadable || !strings.Contains(res.Fix, "--node-ip ADDRESS") {
				t.Errorf("%s: %+v", name, res)
			}
			if value(h, "vm/swappiness") != "10" {
				t.Errorf("%s: nothing else was applied", name)
			}
			if content(h, stateFile) != text || content(h, nodeEnv) != published || !strings.Contains(published, "192.0.2.10") {
				t.Errorf("%s: saved %q, published %q, was %q", name, content(h, stateFile), content(h, nodeEnv), published)
			}
		}
		mustRefuse(t, h, plainIP, hostops.NodeIPOptions{Address: "192.0.2.20"}, string(nodeip.Unreadable), "remove the file")
		h.Delete(stateFile)
		mustUp(t, h, plainIP, hostops.NodeIPOptions{Address: "192.0.2.20"})
		if !strings.Contains(content(h, nodeEnv), "192.0.2.20") {
			t.Errorf("%s: after the fix %s says %q", name, nodeEnv, content(h, nodeEnv))
		}
	}
}

// TestADamagedAddressIsWrittenAnewFromTheRecord: as one that was taken away.
func TestADamagedAddressIsWrittenAnewFromTheRecord(t *testing.T) {
	h := wired()
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	saved := content(h, stateFile)
	h.PutFile(stateFile, saved[:len(saved)/2])
	h.AddIP("eth0", "192.0.2.20/24")
	host := as(t, h, hostops.NodeIPOptions{})
	report, err := host.Up(t.Context(), site(t, plainIP), hostops.UpOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if res := resultOf(t, report, nodeip.Key); !res.OK() || !res.Drift {
		t.Errorf("%+v", res)
	}
	if w := host.DecidedNodeIP().Warnings; len(w) != 1 || !strings.Contains(w[0].Message, "damaged") {
		t.Errorf("warnings %+v", w)
	}
	if got := content(h, stateFile); !strings.Contains(got, `"nodeIP": "192.0.2.10"`) {
		t.Errorf("%s holds %s", stateFile, got)
	}
}

// TestADamagedAddressIsGivenBack: down ends with nothing of ours on the host.
func TestADamagedAddressIsGivenBack(t *testing.T) {
	h := wired()
	before := h.String()
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	h.PutFile(stateFile, "{")
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
		t.Fatal(err)
	}
	if after := h.String(); after != before {
		t.Errorf("after down:\n%s\nbefore:\n%s", after, before)
	}
}

// TestWhatANewerVersionSavedIsNotOverwritten: although the record knows the address.
func TestWhatANewerVersionSavedIsNotOverwritten(t *testing.T) {
	const newer = `{"major":2,"nodeIP":"192.0.2.10","more":true}`
	h := wired()
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	h.PutFile(stateFile, newer)
	published := content(h, nodeEnv)
	report, err := open(t, h).Up(t.Context(), site(t, plainIP+", "+otherNoise), hostops.UpOptions{})
	if res := resultOf(t, report, nodeip.Key); err != nil || res.OK() || res.Reason != nodeip.Unreadable {
		t.Errorf("%+v, %v", res, err)
	}
	if content(h, stateFile) != newer || content(h, nodeEnv) != published || value(h, "vm/swappiness") != "10" {
		t.Errorf("the host is\n%s", h)
	}
}
