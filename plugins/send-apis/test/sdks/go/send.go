// Runs jobs with each provider's SDK for Go: reads a JSON list of jobs, writes a JSON list of results.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
)

type person struct{ Name, Email string }

type file struct {
	Name, Type string
	Content    []byte
	Cid        string
}

type code struct{ Email, Code string }

type job struct {
	Sdk, Call           string
	From                *person
	To                  []person
	Cc, Bcc             []string
	Subject, Text, Html string
	Files               []file
	Raw                 []byte
	Each                []code
	Template            struct {
		Id        string
		Variables map[string]any
	}
}

// failed is the error that an SDK reports. Fields that the SDK does not report are nil.
type failed struct {
	Type    string `json:"type"`
	Status  any    `json:"status"`
	Code    any    `json:"code"`
	Message string `json:"message"`
}

type outcome struct {
	Ids   []string `json:"ids,omitempty"`
	Error *failed  `json:"error,omitempty"`
}

type sdk struct {
	calls   map[string]func(job) ([]string, error)
	failure func(error) failed
}

var (
	ctx  = context.Background()
	sdks = map[string]sdk{
		"resend-go":           resendGo,
		"sendgrid-go":         sendgridGo,
		"mrz1836/postmark":    postmarkGo,
		"mailgun-go":          mailgunGo,
		"aws-sdk-go-v2 ses":   sesGo,
		"aws-sdk-go-v2 sesv2": sesV2Go,
	}
)

// quoted returns an address with its name as JSON APIs accept it.
func (p person) quoted() string {
	if p.Name == "" {
		return p.Email
	}
	return fmt.Sprintf("%q <%s>", p.Name, p.Email)
}

func (j job) sender() string {
	if j.From == nil {
		return ""
	}
	return j.From.quoted()
}

func (j job) recipients() (found []string) {
	for _, to := range j.To {
		found = append(found, to.quoted())
	}
	return found
}

func one(id string, err error) ([]string, error) { return []string{id}, err }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	var jobs []job
	if err := json.NewDecoder(os.Stdin).Decode(&jobs); err != nil {
		panic(err)
	}
	outcomes := make([]outcome, len(jobs))
	for at, next := range jobs {
		used := sdks[next.Sdk]
		ids, err := used.calls[next.Call](next)
		if err != nil {
			told := used.failure(err)
			told.Type = fmt.Sprintf("%T", err)
			outcomes[at] = outcome{Error: &told}
		} else {
			outcomes[at] = outcome{Ids: ids}
		}
	}
	os.Stdout.Write(must(json.Marshal(outcomes)))
}
