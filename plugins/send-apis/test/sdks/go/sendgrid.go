package main

import (
	"encoding/base64"
	"encoding/json"
	"os"

	"github.com/sendgrid/rest"
	"github.com/sendgrid/sendgrid-go"
	"github.com/sendgrid/sendgrid-go/helpers/mail"
)

func newSendGrid() *sendgrid.Client {
	request := sendgrid.GetRequest(os.Getenv("SENDGRID_API_KEY"), "/v3/mail/send", os.Getenv("SENDGRID_BASE_URL"))
	request.Method = "POST"
	return &sendgrid.Client{Request: request}
}

var sendgridClient = newSendGrid()

// refusal is an error response of SendGrid, which this SDK does not treat as an error.
type refusal struct{ *rest.Response }

func (r refusal) Error() string { return r.Body }

func sendgridMail(j job) *mail.SGMailV3 {
	letter := mail.NewV3Mail()
	letter.Subject = j.Subject
	if j.From != nil {
		letter.SetFrom(mail.NewEmail(j.From.Name, j.From.Email))
	}
	for _, content := range []*mail.Content{mail.NewContent("text/plain", j.Text), mail.NewContent("text/html", j.Html)} {
		if content.Value != "" {
			letter.AddContent(content)
		}
	}
	for _, f := range j.Files {
		attachment := mail.NewAttachment().SetFilename(f.Name).SetType(f.Type)
		attachment.SetContent(base64.StdEncoding.EncodeToString(f.Content))
		if f.Cid != "" {
			attachment.SetDisposition("inline").SetContentID(f.Cid)
		}
		letter.AddAttachment(attachment)
	}
	return letter
}

func sendgridTo(j job) *mail.Personalization {
	people := mail.NewPersonalization()
	for _, to := range j.To {
		people.AddTos(mail.NewEmail(to.Name, to.Email))
	}
	for _, address := range j.Cc {
		people.AddCCs(mail.NewEmail("", address))
	}
	for _, address := range j.Bcc {
		people.AddBCCs(mail.NewEmail("", address))
	}
	return people
}

func sendgridSend(letter *mail.SGMailV3, people ...*mail.Personalization) ([]string, error) {
	answer, err := sendgridClient.Send(letter.AddPersonalizations(people...))
	if err != nil {
		return nil, err
	}
	if answer.StatusCode >= 400 {
		return nil, refusal{answer}
	}
	return answer.Headers["X-Message-Id"], nil
}

var sendgridGo = sdk{
	calls: map[string]func(job) ([]string, error){
		"send": func(j job) ([]string, error) { return sendgridSend(sendgridMail(j), sendgridTo(j)) },
		"batch": func(j job) ([]string, error) {
			var all []*mail.Personalization
			for _, each := range j.Each {
				own := mail.NewPersonalization()
				own.AddTos(mail.NewEmail("", each.Email))
				own.SetSubstitution("-code-", each.Code)
				all = append(all, own)
			}
			j.Text = "Code: -code-"
			return sendgridSend(sendgridMail(j), all...)
		},
		"template": func(j job) ([]string, error) {
			people := sendgridTo(j)
			people.DynamicTemplateData = j.Template.Variables
			return sendgridSend(sendgridMail(j).SetTemplateID(j.Template.Id), people)
		},
	},
	failure: func(err error) failed {
		answer := err.(refusal)
		var told struct{ Errors []struct{ Message string } }
		if err := json.Unmarshal([]byte(answer.Body), &told); err != nil {
			panic(err)
		}
		return failed{Status: answer.StatusCode, Message: told.Errors[0].Message}
	},
}
