SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c

# The modules of the workspace, and those that users import. The tools' modules are
# not in the workspace, since their dependencies conflict with each other.
MODULES   := $(shell sed -n 's|^[[:space:]]*\./||p' go.work)
LIBRARIES := $(filter-out bench examples examples/% adapters/echotest %/servertest,$(MODULES))
TOOLS     := $(patsubst %/go.mod,%,$(wildcard tools/*/go.mod))
BIN       := $(CURDIR)/.bin

# Nothing here needs what debuggers read, and a sixth of the time of compiling goes into it.
export GOFLAGS := $(shell go env GOFLAGS) -gcflags=all=-dwarf=false

# How long `make fuzz` runs each fuzz test: a number of inputs (3000000x), or a
# time (30m). At the end of the time Go before 1.27 sometimes fails with "context
# deadline exceeded" without having found a failure (go.dev/issue/75804).
FUZZTIME ?= 3000000x

.PHONY: help
help:
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

.PHONY: demo
demo: ## Show what requests get for each place of a version, errors and translations, and v1's retirement month by month
	@go -C examples run ./demo
	@go -C examples run ./retire

.PHONY: usage
usage: ## Serve the usage page with made-up traffic: who still calls v1 (ADDRESS=:8080)
	@go -C examples run ./usage $(ADDRESS)

.PHONY: bookings
bookings: ## Serve the service of examples/bookings/README.md with Echo (FLAGS=-gin: with Gin)
	@go -C examples build -o $(BIN)/bookings ./bookings # go run fails on an interrupt, whatever the program returns
	@$(BIN)/bookings -now 2026-11-21T12:00:00Z $(FLAGS)

# The slowest package comes first. `make lint` vets, which is a fifth of the cost of this. No package takes longer to
# compile than that of Gin's MessagePack, which no test needs.
.PHONY: test
test: ## Run the tests of all modules, and print what they cost
	@TIMEFORMAT='CPU: %U s user, %S s system, in %R s'; time { \
		go test -vet=off -tags nomsgpack ./usage/usagesql/servertest/... work; \
		GOWORK=$(CURDIR)/examples/thirdparty.work go test -vet=off $(patsubst %,./%...,$(wildcard examples/thirdparty-*/)); \
	}

.PHONY: test-long
test-long: ## Run the tests that take minutes: a year of traffic, published documents, careless edits, random services, generated code, Prometheus
	VERSO_LONG=1 go test -timeout 30m -run Long ./usage/usagesql/servertest/... ./openapi/... ./migrate/... ./examples/rewrite/... ./examples/documents/... ./examples/drafted ./examples/generated ./examples/unmatched ./examples/usage
	GOWORK=off go -C usage/promtest test ./... # outside the workspace, whose modules would take the dependencies of Prometheus
	$(MAKE) twins VERSO_TWINS=150 VERSO_TWINS_SEED=0 # the same programs for each change; nightly.yml draws others

# Twins with the workspace's frameworks, and with the oldest that each adapter takes.
TWINNED := versochi versofiber versogin versohttp echotest

.PHONY: twins
twins: ## Compare many random programs of each framework with and without Verso (VERSO_TWINS=2000 of each way, VERSO_TWINS_SEED=1)
	@export VERSO_TWINS=$${VERSO_TWINS:-500} VERSO_TWINS_SEED=$${VERSO_TWINS_SEED:-$$(date +%s)}; \
	run="test -count=1 -timeout 60m -v -run ^TestTwins\$$"; \
	set -o pipefail; { go $$run $(TWINNED:%=./adapters/%) && go $$run -tags echo5 ./adapters/echotest && \
		for adapter in $(TWINNED); do GOWORK=off go -C adapters/$$adapter $$run . || exit; done; } \
		| grep -vE '^=== |^ *--- PASS'

# The oldest Go that the module of core allows; the others need no newer one.
OLDEST := $(shell sed -n 's/^go /go/p' core/go.mod)

.PHONY: oldest
oldest: ## Vet the modules that users import with the oldest Go that their go.mod files allow
	@for module in $(LIBRARIES); do GOWORK=off GOTOOLCHAIN=$(OLDEST) go -C $$module vet ./...; done

.PHONY: newest
newest: ## Test the adapters with the newest versions of their frameworks
	@made=$$(mktemp -d); trap 'rm -r "$$made"' EXIT; export GOWORK=off; for adapter in $(TWINNED); do \
		cp adapters/$$adapter/go.mod adapters/$$adapter/go.sum "$$made"; \
		go="go -C adapters/$$adapter"; mod="-modfile=$$made/go.mod"; \
		$$go get $$mod $$($$go list -m -f '{{if not (or .Main .Indirect .Replace)}}{{.Path}}@latest{{end}}' all) && \
			$$go mod tidy $$mod && $$go test $$mod $(FLAGS) ./... && $$go test $$mod $(FLAGS) -tags echo5 ./... || exit; \
	done

.PHONY: quick
quick: ## Run the tests of core and of one adapter (20 seconds)
	go test ./core/... ./adapters/versogin

# Tests of large numbers and of models find no race, and take minutes here, since SQLite is Go, too.
RACELESS := Earlier|Echo5|Export|LongStrings.*|ManyNames|MillionClients|Mutants|NewClients|ReadsOfFunctions|Regions|SourceCatches|StoresAgree

.PHONY: race
race: ## Run the tests of the modules that users import under the race detector
	VERSO_TWINS=10 go test -race -timeout 20m -skip '^Test($(RACELESS))$$' ./usage/usagesql/servertest/... $(LIBRARIES:%=./%/...) ./adapters/echotest
	VERSO_TWINS=10 go test -race -tags echo5 ./adapters/echotest

# A module of the workspace is tested with the newest versions that any of them requires.
.PHONY: alone
alone: ## Test each module that users import with the versions and sums of its own go.mod and go.sum
	@for module in $(LIBRARIES); do GOWORK=off go -C $$module test -mod=readonly ./...; done

.PHONY: conformance
conformance: ## Show which parts of the conformance suite each adapter and the client pass
	@export VERSO_ROUNDS=10; run="go test -count=1 -v -run ^Test(Conformance|Core)\$$"; \
	{ $$run $(addprefix ./,$(filter-out adapters/versoecho%,$(filter client conformance adapters/%,$(MODULES)))) && \
		$$run -tags echo5 ./adapters/echotest; } | grep -E '^(ok|FAIL|---)|conformance: |--- FAIL'

.PHONY: fuzz
fuzz: ## Run each fuzz test for FUZZTIME (default 3000000x, a number of inputs; or a time: 30m)
	@for tags in none echo5; do \
		go test -tags $$tags -list '^Fuzz' $$([ $$tags = none ] && echo work || echo ./adapters/echotest) \
			| awk '/^Fuzz/ { names[++n] = $$1 } $$1 == "ok" { for (; n > 0; n--) print $$2, names[n] }' \
			| while read -r package name; do \
				echo "$$package $$name ($$tags)"; \
				go test -tags $$tags -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x "$$package"; \
			done; \
	done

# Packages of core without tests of their own, which the tests of the others judge.
SHARED := finding hostname nils origin roster vary

.PHONY: mutation
mutation: $(BIN)/gremlins ## Test chosen mutants of migrate, and list mutations of core's code that core's tests do not detect (an hour; FLAGS=./route for one folder of core)
	$(if $(FLAGS),,VERSO_MUTANTS=1 go test -timeout 30m -run '^TestMutants$$' ./migrate ./examples/documents)
	@cd core && export GOWORK=off GOFLAGS="$$(go env GOFLAGS) -count=1" && \
	mutate="$(BIN)/gremlins unleash --timeout-coefficient 10 --output-statuses lct --threshold-efficacy 90" && \
	$$mutate $(FLAGS) && \
	for package in $(if $(FLAGS),,$(SHARED)); do \
		$$mutate --integration --coverpkg ./internal/$$package ./internal/$$package || exit; \
	done

.PHONY: lint
lint: $(BIN)/golangci-lint $(BIN)/actionlint ## Check the code, the import directions and the workflows
	$(BIN)/golangci-lint run $(patsubst %,./%/...,$(MODULES))
	cd tools/release && GOWORK=off $(BIN)/golangci-lint run ./...
	cd usage/promtest && GOWORK=off $(BIN)/golangci-lint run ./...
	tools/echo.sh check
	tools/long.sh
	$(BIN)/actionlint
	@! grep -nE '\buses:' .github/workflows/* | grep -vE 'uses: [^ @]+@[0-9a-f]{40} # v[0-9.]+$$' \
		|| { echo 'Write the full commit hash of a release, and its version: @0123… # v1.2.3'; exit 1; }

.PHONY: format
format: $(BIN)/golangci-lint ## Format the code
	$(BIN)/golangci-lint fmt $(addprefix ./,$(MODULES)) tools/release usage/promtest

.PHONY: echo
echo: ## Make the adapter of Echo v4 from that of v5
	tools/echo.sh update

.PHONY: tidy
tidy: ## Tidy all go.mod files
	@for module in $(MODULES) $(TOOLS); do GOWORK=off go -C $$module mod tidy; done

.PHONY: tidy-check
tidy-check: ## Check that all go.mod files are tidy, and that those of users require no more than needed
	@for module in $(MODULES) $(TOOLS); do GOWORK=off go -C $$module mod tidy -diff; done
	@tools/required.sh $(LIBRARIES)

.PHONY: docs-check
docs-check: $(BIN)/go-licenses ## Check links, sentences, the tests that pages name, dependencies and their licences
	@tools/docs-check.sh $(LIBRARIES)
	@GOWORK=off go run tools/prose/main.go

.PHONY: api-check
api-check: $(BIN)/apidiff ## Show the changes in the exported API since the last tags
	@PATH="$(BIN):$$PATH" tools/api-check.sh $(LIBRARIES)

.PHONY: documents-diff
documents-diff: $(BIN)/oasdiff ## Compare a published document with a made one, by kind of difference (PUBLISHED=v1.json MADE=made/v1.json PARAMETER=Api-Version)
	@PATH="$(BIN):$$PATH" PARAMETER="$(PARAMETER)" tools/documents-diff.sh $(PUBLISHED) $(MADE)

.PHONY: release-check
release-check: ## Publish HEAD to a local module proxy, and use it as users do
	GOWORK=off go -C tools/release test ./...
	@GOWORK=off go -C tools/release run . check

.PHONY: release
release: ## Print the tags of a release, as RELEASING.md describes it (FLAGS=-push: set and push them)
	@GOWORK=off go -C tools/release run . tags $(FLAGS)

.PHONY: vulncheck
vulncheck: $(BIN)/govulncheck # Look for known vulnerabilities in code that the modules call (needs vuln.go.dev)
	@for module in $(MODULES) tools/release; do \
		echo "$$module"; \
		GOWORK=off $(BIN)/govulncheck -C $$module $(FLAGS) ./...; \
	done

.PHONY: i18n
i18n: ## Extract the messages and merge them into the catalogues
	locales/i18n.sh update

.PHONY: i18n-check
i18n-check: ## Check that the catalogues are complete and up to date
	locales/i18n.sh check

.PHONY: bench
bench: ## Compare Verso with the bare frameworks and hand-written code (5 minutes)
	@GOWORK=off go -C bench run ./cmd/bench $(FLAGS)

.PHONY: soak
soak: ## Keep services busy with requests of all kinds, including hostile ones (4 minutes)
	@GOWORK=off go -C bench run ./cmd/soak $(FLAGS)

.PHONY: count
count: # Count the lines of code of the product and of the tools that check it
	@tools/count.sh
	@echo && tools/count-bookings.sh
	@echo && tools/count-adopt.sh

# A tool is built from the module that pins it, again whenever its pin changes.
$(BIN)/%: tools/%/go.mod tools/%/go.sum
	GOWORK=off GOBIN=$(BIN) go -C tools/$* install tool
	@touch $@
