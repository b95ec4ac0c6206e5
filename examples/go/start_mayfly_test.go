package main

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain starts Mayfly for the tests: the executable EXECUTABLE, which is its path or the URL of its archive.
// Without that variable, the tests use a running service.
func TestMain(m *testing.M) {
	stop := func() {}
	if from := os.Getenv("EXECUTABLE"); from != "" {
		stop = startMayfly(executable(from))
	}
	code := m.Run()
	stop()
	os.Exit(code)
}

func startMayfly(file string) (stop func()) {
	service := exec.Command(file, "serve", "--store", "memory:", "--http-port", "0", "--smtp-port", "0", "--log-level", "warn")
	service.Stderr = os.Stderr
	output := must(service.StdoutPipe())
	check(service.Start())
	var smtp, url string
	must(fmt.Sscanf(must(bufio.NewReader(output).ReadString('\n')), "ready smtp=%s http=%s", &smtp, &url))
	host, port, err := net.SplitHostPort(smtp)
	check(err)
	for name, value := range map[string]string{"MAYFLY_URL": url, "SMTP_HOST": host, "SMTP_PORT": port} {
		check(os.Setenv(name, value))
	}
	return func() {
		service.Process.Kill()
		service.Wait()
	}
}

// executable returns a path. It downloads an archive once, and checks it against EXECUTABLE_SHA256, from the release's SHA256SUMS.
func executable(from string) string {
	if !strings.HasPrefix(from, "http") {
		return from
	}
	sum := os.Getenv("EXECUTABLE_SHA256")
	folder := filepath.Join(must(os.UserCacheDir()), "mayfly-"+sum)
	if _, err := os.Stat(folder); err == nil {
		return filepath.Join(folder, "mayfly")
	}
	answer := must(http.Get(from))
	defer answer.Body.Close()
	archive := must(io.ReadAll(answer.Body))
	if found := fmt.Sprintf("%x", sha256.Sum256(archive)); found != sum {
		panic(fmt.Sprintf("%s has the SHA-256 %s, but EXECUTABLE_SHA256 is %q", from, found, sum))
	}
	check(os.MkdirAll(filepath.Dir(folder), 0o700))
	part := must(os.MkdirTemp(filepath.Dir(folder), "mayfly-"))
	unpack := exec.Command("tar", "-xzf", "-", "-C", part)
	unpack.Stdin = strings.NewReader(string(archive))
	check(unpack.Run())
	// Fails if another process was faster.
	if err := os.Rename(part, folder); err != nil {
		return filepath.Join(part, "mayfly")
	}
	return filepath.Join(folder, "mayfly")
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
