package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/mailgun/mailgun-go/v4"
)

func newMailgun() mailgun.Mailgun {
	mg := mailgun.NewMailgun("mg.acme.test", os.Getenv("MAILGUN_API_KEY"))
	if url := os.Getenv("MAILGUN_URL"); url != "" {
		mg.SetAPIBase(url + "/v3")
	}
	return mg
}

var mailgunClient = newMailgun()

func reader(content []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(content)) }

func mailgunMail(j job) *mailgun.Message {
	message := mailgun.NewMessage(j.sender(), j.Subject, j.Text, j.recipients()...)
	message.SetHTML(j.Html)
	for _, address := range j.Cc {
		message.AddCC(address)
	}
	for _, address := range j.Bcc {
		message.AddBCC(address)
	}
	for _, f := range j.Files {
		if f.Cid == "" {
			message.AddBufferAttachment(f.Name, f.Content)
		} else {
			message.AddReaderInline(f.Cid, reader(f.Content))
		}
	}
	return message
}

func mailgunSend(message *mailgun.Message) ([]string, error) {
	_, id, err := mailgunClient.Send(ctx, message)
	return one(id, err)
}

var mailgunGo = sdk{
	calls: map[string]func(job) ([]string, error){
		"send": func(j job) ([]string, error) { return mailgunSend(mailgunMail(j)) },
		"raw": func(j job) ([]string, error) {
			return mailgunSend(mailgun.NewMIMEMessage(reader(j.Raw), j.recipients()...))
		},
		"batch": func(j job) ([]string, error) {
			message := mailgun.NewMessage(j.sender(), j.Subject, "Code: %recipient.code%")
			for _, each := range j.Each {
				if err := message.AddRecipientAndVariables(each.Email, map[string]any{"code": each.Code}); err != nil {
					return nil, err
				}
			}
			return mailgunSend(message)
		},
		"template": func(j job) ([]string, error) {
			message := mailgunMail(j)
			message.SetTemplate(j.Template.Id)
			for name, value := range j.Template.Variables {
				if err := message.AddTemplateVariable(name, value); err != nil {
					return nil, err
				}
			}
			return mailgunSend(message)
		},
	},
	failure: func(err error) failed {
		var answer *mailgun.UnexpectedResponseError
		if !errors.As(err, &answer) {
			return failed{Message: err.Error()}
		}
		var told struct{ Message string }
		if err := json.Unmarshal(answer.Data, &told); err != nil {
			panic(err)
		}
		return failed{Status: answer.Actual, Message: told.Message}
	},
}
