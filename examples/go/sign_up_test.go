package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/smtp"
	"net/url"
	"os"
	"regexp"
	"testing"
	"time"
)

// Inbox is a new address for each test.
type Inbox struct{ Name, Address string }

// Email has the fields that this example uses.
type Email struct{ Subject, Otp, MagicLink, ReceivedAt string }

var data = regexp.MustCompile(`(?m)^data: (\{.*\})$`)

func newInbox() Inbox {
	name := "go-" + fmt.Sprintf("%x", randomBytes(8))
	return Inbox{name, name + "@" + setting("MAYFLY_DOMAIN", "inbox.example.com")}
}

// Wait returns the newest email that matches, such as url.Values{"hasOtp": {"true"}, "after": {email.ReceivedAt}}.
func (inbox Inbox) Wait(t *testing.T, timeout time.Duration, wanted url.Values) (email Email) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	for ctx.Err() == nil {
		// Ends with the email or after 30 s.
		if found := data.FindSubmatch(inbox.get(ctx, t, "/stream?"+wanted.Encode())); found != nil {
			if err := json.Unmarshal(found[1], &email); err != nil {
				t.Fatal(err)
			}
			return email
		}
	}
	t.Fatalf("Waited %s for %v. To %s came: %s", timeout, wanted, inbox.Address, inbox.get(context.Background(), t, "/summary"))
	return email
}

func (inbox Inbox) get(ctx context.Context, t *testing.T, what string) []byte {
	t.Helper()
	address := setting("MAYFLY_URL", "http://127.0.0.1:8080") + "/api/inbox/" + inbox.Name + what
	request, _ := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	answer, err := http.DefaultClient.Do(request)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("Mayfly answered %s: %s", answer.Status, body)
	}
	return body
}

func randomBytes(count int) []byte {
	bytes := make([]byte, count)
	rand.Read(bytes)
	return bytes
}

func setting(name, standard string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return standard
}

// signUp stands in for your application, which emails a code to new users.
func signUp(email string) error {
	mail := "From: app@example.test\r\nTo: " + email + "\r\nSubject: Welcome\r\n\r\nYour code is 482913\r\n"
	server := setting("SMTP_HOST", "127.0.0.1") + ":" + setting("SMTP_PORT", "2525")
	client, err := smtp.Dial(server)
	if err != nil {
		return err
	}
	defer client.Close()
	if err := client.Mail("app@example.test"); err != nil {
		return err
	}
	if err := client.Rcpt(email); err != nil {
		return err
	}
	body, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := body.Write([]byte(mail)); err != nil {
		return err
	}
	return body.Close()
}

func TestTheCodeOfTheEmail(t *testing.T) {
	inbox := newInbox()
	if err := signUp(inbox.Address); err != nil {
		t.Fatal(err)
	}
	if email := inbox.Wait(t, 20*time.Second, url.Values{"hasOtp": {"true"}}); email.Otp != "482913" {
		t.Fatalf("the code is %q", email.Otp)
	}
}
