package fault

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

func TestKindsMapToExitCodes(t *testing.T) {
	for kind, code := range map[Kind]int{Failed: 1, Usage: 2, BadInput: 65, NoInput: 66, Unavailable: 69, Internal: 70,
		CannotCreate: 73, IO: 74, TryLater: 75, NotPermitted: 77, NotReached: 4} {
		if kind.Exit() != code {
			t.Errorf("kind %d exits %d, want %d", kind, kind.Exit(), code)
		}
	}
}

func TestWrapFindsTheKind(t *testing.T) {
	_, missing := os.Open("/no/such/file")
	for _, c := range []struct {
		err  error
		want Kind
	}{
		{missing, NoInput},
		{&fs.PathError{Op: "write", Path: "/x", Err: syscall.ENOSPC}, IO},
		{New(TryLater, "lock", "held"), TryLater},
		{errors.New("other"), CannotCreate},
	} {
		if got := KindOf(Wrap(CannotCreate, "make", "/x", c.err)); got != c.want {
			t.Errorf("%v: kind %d, want %d", c.err, got, c.want)
		}
	}
	if Wrap(IO, "op", "", nil) != nil {
		t.Error("no error was wrapped into one")
	}
	if got := Wrap(IO, "open the session", "/no/such/file", missing).Error(); got != "open the session /no/such/file: no such file or directory" {
		t.Errorf("message %q", got)
	}
}
