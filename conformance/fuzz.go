package conformance

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/goverso/verso/conformance/internal/model"
)

// FuzzServices is the body of a fuzz test: it builds random services on each of the mounts, and
// sends each raw requests. Whatever the requests are, no handler runs in a version that it does
// not have, and a request that means one thing only gets what a simple model of the
// configuration predicts.
func FuzzServices(f *testing.F, mounts ...Mount) {
	f.Helper()
	quiet(f)
	addRandomInputs(f, 300)
	f.Fuzz(func(t *testing.T, input []byte) {
		if err := attackService(t, input, false, mounts...); err != nil {
			t.Error(err)
		}
	})
}

// FuzzRequests is the body of a fuzz test: as [FuzzServices], for services that are always the
// same, with every source, on servers that stay up. It tries far more requests than
// FuzzServices in the same time, since starting a server costs more than thousands of requests.
// FuzzServices in turn finds what depends on the configuration.
func FuzzRequests(f *testing.F, mounts ...Mount) {
	f.Helper()
	quiet(f)
	var all []*modelled
	// Each kind of source must be among the few services that stay, and pure chance would leave
	// some out.
	kinds := append(model.Kinds(), "nothing")
	for _, config := range randomInputs(2000) {
		s := model.New(&model.Choices{Input: config})
		// Each server has a cost for as long as the test runs, and 36 are enough for each source
		// several times.
		if kind := kinds[len(all)%len(kinds)]; kind != "nothing" && s.Kind() != kind || len(all) == 36 {
			continue
		}
		if server := mountModel(f, s, mounts[len(all)%len(mounts)]); server != nil {
			f.Cleanup(func() { _ = server.Close() })
			all = append(all, server)
		}
	}
	addRandomInputs(f, 300)
	f.Fuzz(func(t *testing.T, input []byte) {
		c := &model.Choices{Input: input}
		if err := model.Pick(c, all).attack(c); err != nil {
			t.Error(err)
		}
	})
}

// attackService builds the service that an input describes on one of the mounts, and sends it
// requests, without hostile ones if isClear. New refuses a configuration that
// contradicts itself, and the input then has nothing to try.
func attackService(tb testing.TB, input []byte, isClear bool, mounts ...Mount) error {
	tb.Helper()
	c := &model.Choices{Input: input}
	s := model.New(c)
	s.Clear = isClear
	server := mountModel(tb, s, model.Pick(c, mounts))
	if server == nil {
		return nil
	}
	return errors.Join(server.attack(c), server.stop())
}

// checkRandom sends random requests, each of which means one thing, to random services. Hostile
// requests are left to the fuzz tests: an adapter must pass this check in each run, so each
// answer must be certain.
func checkRandom(tb testing.TB, mount Mount) error {
	tb.Helper()
	seed, random := seeded()
	for range rounds(60) {
		input := make([]byte, 120)
		for i := range input {
			input[i] = byte(random.Uint32())
		}
		if err := attackService(tb, input, true, mount); err != nil {
			return fmt.Errorf("%w\nVERSO_SEED=%d", err, seed)
		}
	}
	return nil
}

// addRandomInputs adds as many inputs, times VERSO_ROUNDS: the same in each run, unless
// VERSO_SEED is set. A fuzz test that starts without inputs would spend its time on learning
// how to describe a service.
func addRandomInputs(f *testing.F, count int) {
	f.Helper()
	for _, input := range randomInputs(rounds(count)) {
		f.Add(input)
	}
}

// randomInputs uses a generator whose numbers stay the same with each version of Go, so that a
// seed of a failure keeps its meaning.
func randomInputs(count int) (inputs [][]byte) {
	seed, _ := strconv.ParseUint(os.Getenv("VERSO_SEED"), 10, 64)
	random := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16)})
	for range count {
		input := make([]byte, 250)
		_, _ = random.Read(input)
		inputs = append(inputs, input)
	}
	return inputs
}
