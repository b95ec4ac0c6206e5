package example

import (
	"testing"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

// startMayfly starts Mayfly for one test. It returns the base URL, and the host and port for SMTP.
func startMayfly(t *testing.T) (url, smtp string) {
	t.Helper()
	mayfly, err := testcontainers.Run(t.Context(), "ghcr.io/OWNER/mayfly:0.1",
		testcontainers.WithExposedPorts("2525/tcp", "8080/tcp"),
		testcontainers.WithWaitStrategy(wait.ForHTTP("/readyz").WithPort("8080/tcp")))
	testcontainers.CleanupContainer(t, mayfly)
	if err != nil {
		t.Fatal(err)
	}
	if url, err = mayfly.PortEndpoint(t.Context(), "8080/tcp", "http"); err != nil {
		t.Fatal(err)
	}
	if smtp, err = mayfly.PortEndpoint(t.Context(), "2525/tcp", ""); err != nil {
		t.Fatal(err)
	}
	return url, smtp
}
