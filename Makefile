# The modules of the workspace; the tools' modules stand apart from it.
MODULES := $(shell go list -m -f '{{.Dir}}' | sed 's|^$(CURDIR)/||')
TOOLS   := $(dir $(wildcard tools/*/go.mod))
BIN     := $(CURDIR)/.bin

RELEASE := GOWORK=off go -C tools/release run .
THREATS := GOWORK=off go -C tools/threats run .

# What `make fuzz` gives each fuzz test: a number of inputs (3000000x), or a
# time (30m), at whose end Go before 1.27 now and then fails with "context
# deadline exceeded", although it has found nothing (go.dev/issue/75804).
FUZZTIME ?= 3000000x

# How long `make load` puts load on each service.
DURATION ?= 15s

.PHONY: help
help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

.PHONY: demo
demo: ## Start a service in Echo and in Gin, for each scheme, and send it requests
	@go -C examples run ./demo

.PHONY: test
test: ## Run the tests of all modules
	go test work
	GOWORK=off go -C tools/release test ./...
	GOWORK=off go -C tools/mutation test ./...
	GOWORK=off go -C tools/threats test ./...

.PHONY: test-alone
test-alone: ## Run the tests of each module outside the workspace, with the versions and sums that it has itself
	@for module in $(MODULES); do GOWORK=off go -C $$module test -mod=readonly ./... || exit 1; done

.PHONY: race
race: ## Run the tests of all modules under the race detector
	go test -race work

.PHONY: release-check
release-check: ## Publish the commit to a local module proxy and use it as users do
	@$(RELEASE) check $(FLAGS)

.PHONY: release-version
release-version: ## Let the modules require each other at VERSION
	@$(RELEASE) set $(VERSION)

.PHONY: release-tags
release-tags: ## List the tags of VERSION, in the order to push them
	@$(RELEASE) tags -version $(VERSION)

.PHONY: api-check
api-check: $(BIN)/apidiff ## Show what has changed in the exported API since the last tags
	@$(RELEASE) api -apidiff $(BIN)/apidiff

.PHONY: adapters
adapters: ## Write into docs/adapters.md how many cases each adapter passes
	@$(RELEASE) suite

.PHONY: adapters-check
adapters-check: ## Check that the table in docs/adapters.md is up to date
	@$(RELEASE) suite -check

.PHONY: dependencies
dependencies: ## Write into docs/dependencies.md what each module brings to its users
	@$(RELEASE) dependencies

.PHONY: dependencies-check
dependencies-check: ## Check docs/dependencies.md, the reasons and the licences of dependencies
	@$(RELEASE) dependencies -check

.PHONY: reproducible
reproducible: ## Build the demo twice, in different folders, and compare the binaries
	@$(RELEASE) reproducible

.PHONY: conformance
conformance: ## Count the reference cases that each adapter passes
	@go test -count=1 -v -run '^Test(Conformance|Core)$$' $(addprefix ./,$(filter conformance adapters/%,$(MODULES))) \
		| grep -E '^(ok|FAIL|---)|conformance: |--- FAIL'

.PHONY: bench
bench: ## Measure Verso beside the frameworks, code by hand and other libraries (3 minutes)
	@GOWORK=off go -C bench run ./cmd/bench

.PHONY: load
load: ## Put load on Echo and Gin with wrk, without and with Verso, DURATION each (default 15s; 6 minutes)
	@GOWORK=off go -C bench run ./cmd/load -duration $(DURATION) $(FLAGS)

.PHONY: soak
soak: ## Send requests of all kinds, hostile ones too, to Echo and Gin (4 minutes)
	@GOWORK=off go -C bench run ./cmd/soak $(FLAGS)

.PHONY: fuzz
fuzz: ## Run each fuzz test for FUZZTIME (default 3000000x: inputs; or a time, 30m)
	@for module in $(MODULES); do \
		for package in $$(go -C $$module list ./...); do \
			for name in $$(go -C $$module test -list '^Fuzz' $$package | grep '^Fuzz'); do \
				echo "$$package $$name"; \
				go -C $$module test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$package || exit 1; \
			done; \
		done; \
	done

.PHONY: mutation
mutation: ## Change core in 2000 ways and list the changes that no test notices (5 minutes; FLAGS=core/query.go: of a file)
	@GOWORK=off go -C tools/mutation run . $(FLAGS)

.PHONY: threats
threats: ## Take out each protection of SECURITY.md and see its test fail
	@$(THREATS)

.PHONY: threats-table
threats-table: ## Write the threat model into SECURITY.md
	@$(THREATS) -write

.PHONY: threats-check
threats-check: ## Check that the threat model in SECURITY.md is up to date
	@$(THREATS) -check

.PHONY: lint
lint: $(BIN)/golangci-lint $(BIN)/actionlint ## Check the code and the workflow
	$(BIN)/golangci-lint run $(addsuffix /...,$(addprefix ./,$(MODULES)))
	$(BIN)/actionlint

.PHONY: format
format: $(BIN)/golangci-lint ## Format the code
	$(BIN)/golangci-lint fmt $(addprefix ./,$(MODULES))

.PHONY: tidy
tidy: ## Tidy all go.mod files
	@for module in $(MODULES) $(TOOLS); do GOWORK=off go -C $$module mod tidy || exit 1; done

.PHONY: tidy-check
tidy-check: ## Check that all go.mod files are tidy
	@for module in $(MODULES) $(TOOLS); do GOWORK=off go -C $$module mod tidy -diff || exit 1; done

.PHONY: vulncheck
vulncheck: $(BIN)/govulncheck ## Look for known vulnerabilities in what the modules call (needs vuln.go.dev)
	@for module in $(MODULES) tools/release; do \
		echo "$$module"; \
		GOWORK=off $(BIN)/govulncheck -C $$module $(FLAGS) ./... || exit 1; \
	done

.PHONY: i18n
i18n: ## Extract the messages and merge them into the catalogues
	locales/i18n.sh update

.PHONY: i18n-check
i18n-check: ## Check that the catalogues are complete and up to date
	locales/i18n.sh check

# A tool is built from the module that pins it, as often as its pin changes.
$(BIN)/%: tools/%/go.mod tools/%/go.sum
	GOWORK=off GOBIN=$(BIN) go -C tools/$* install tool
	@touch $@
