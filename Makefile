# Everything that people and CI do with this repository. Tests and images need root and
# install the Debian packages that they use; everything else runs as any user.

GO      ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo v0.1.0-dev)
LDFLAGS  = -s -w -X github.com/hostprofile/hostprofile/cmd/bootstrap/internal/version.version=$(VERSION) -X main.linked=$(VERSION)
ARCH    ?= $(shell $(GO) env GOARCH)
DIST    ?= dist
tool     = $(GO) tool -modfile=hack/tools/$(1)/go.mod $(1)

export CGO_ENABLED = 0

.PHONY: help
help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the static binaries into bin/
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/ ./cmd/bootstrap ./cmd/manager

# The same commit gives the same packages, wherever and whenever they are built.
packages: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)

.PHONY: packages
packages: ## Build deb and rpm of bootstrap into dist/ (ARCH=arm64 for another architecture)
	GOARCH=$(ARCH) $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(DIST)/$(ARCH)/ ./cmd/bootstrap
	$(GO) run ./hack/packages -program $(DIST)/$(ARCH)/bootstrap -version $(VERSION) -arch $(ARCH) -out $(DIST)

.PHONY: demo
demo: ## Show the main job on a real host and a real API server (KEEP=1 leaves them running)
	$(GO) run ./hack/demo

.PHONY: test
test: ## Run every test that this machine can run, and say what was skipped
	CGO_ENABLED=1 $(GO) run ./hack/tiers build unit container faults vm hosts benchmark

.PHONY: test-faults
test-faults: ## Break runs of the real program wherever they touch the host, and recover
	$(GO) run ./hack/tiers faults

.PHONY: check
check: vet lint generate-check static ## Format, vet, lint, generated files, static link

.PHONY: vet
vet:
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'gofmt: run it on the files above'; exit 1; }
	$(GO) vet ./...

.PHONY: lint
lint:
	$(call tool,golangci-lint) run ./...

.PHONY: generate
generate: ## Write the generated files anew: deep copies, CRDs, the agent's role, a page of docs
	$(call tool,controller-gen) object crd paths=./api/... output:crd:dir=config/crd
	$(call tool,controller-gen) rbac:roleName=hostprofile-agent paths=./controllers/... output:rbac:dir=config/daemonset
	$(GO) run ./hack/reasons > docs/reasons.md

generated = sha256sum api/*/zz_generated* config/crd/hostprofile.io_* config/daemonset/role.yaml docs/reasons.md

.PHONY: generate-check
generate-check: # fails if generating changes a file
	@before=$$($(generated)) && $(MAKE) --no-print-directory generate && after=$$($(generated)) && \
		test "$$before" = "$$after" || { echo 'generated files were not up to date, and are now: commit them'; exit 1; }

.PHONY: static
static: build
	@for b in bin/*; do if readelf -l $$b | grep -q INTERP; then echo "$$b is not static"; exit 1; fi; done

.PHONY: vulncheck
vulncheck: ## Look for known vulnerabilities (asks the Go vulnerability database)
	$(call tool,govulncheck) ./...

.PHONY: tools
tools: ## Build the pinned tools, so that they are cached
	$(call tool,golangci-lint) version
	$(call tool,controller-gen) --version
	$(call tool,nfpm) --version

ROUNDS  ?= 15
results  = $(CURDIR)/bench/results.json

.PHONY: bench
bench: bench-rows ## Measure against peers on this machine, into bench/results.json
	$(GO) test -run '^$$' -bench 'Again|Plan' -benchtime 1x ./test/bench -args -rounds=$(ROUNDS)

.PHONY: bench-rows
bench-rows: # what every run has, as one table
	@rm -f $(results)
	$(GO) run ./hack/bench peers
	$(GO) test -run '^$$' -bench 'Prepare|Cold|Start' -benchtime 1x -timeout 30m ./test/bench -args -rounds=$(ROUNDS) -results=$(results); \
		status=$$?; $(GO) run ./hack/bench table $(results) && exit $$status

.PHONY: bench-agent
bench-agent: ## Measure the agent, for half an hour
	$(GO) test -run '^$$' -bench Agent -benchtime 1x -timeout 1h ./test/bench -args -quiet=10m

.PHONY: race
race: ## Look for data races where the unit tests do not: real servers, containers, the program itself
	CGO_ENABLED=1 $(GO) run ./hack/tiers race

.PHONY: soak
soak: ## Play the long form of every sweep, model and fuzz target, for hours; goes on after one that fails
	$(GO) run ./hack/tiers soak

.PHONY: clean
clean: ## Remove what was built here
	rm -rf bin dist
