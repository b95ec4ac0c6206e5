// Sends a mail with each provider's SDK for Go, to an address of its own; prints {name: {address, id, error}} as JSON.
package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"
	"github.com/sendgrid/sendgrid-go"
	"github.com/sendgrid/sendgrid-go/helpers/mail"
)

type sent struct {
	Address string `json:"address"`
	ID      string `json:"id"`
	Error   string `json:"error"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	url, code := os.Args[1], os.Args[2]
	text, html := "Your code is "+code+", für dich", "<p>Your code is <b>"+code+"</b></p>"
	found := map[string]sent{}

	request := sendgrid.GetRequest("SG.123", "/v3/mail/send", url)
	request.Method = "POST"
	client := &sendgrid.Client{Request: request}
	letter := func(to string) *mail.SGMailV3 {
		return mail.NewSingleEmail(mail.NewEmail("Äpp", "app@acme.test"), "Wélcome", mail.NewEmail("", to), text, html)
	}
	answer := must(client.Send(letter("go-sendgrid@inbox.test")))
	refused := must(client.Send(letter("a@else.test")))
	found["sendgrid"] = sent{"go-sendgrid@inbox.test", answer.Headers["X-Message-Id"][0], refused.Body}

	ses := sesv2.New(sesv2.Options{
		BaseEndpoint: aws.String(url),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("AKIA123", "secret", ""),
	})
	content := func(text string) *types.Content { return &types.Content{Data: aws.String(text)} }
	input := func(to string) *sesv2.SendEmailInput {
		return &sesv2.SendEmailInput{
			FromEmailAddress: aws.String("app@acme.test"),
			Destination:      &types.Destination{ToAddresses: []string{to}},
			Content: &types.EmailContent{Simple: &types.Message{
				Subject: content("Wélcome"),
				Body:    &types.Body{Text: content(text), Html: content(html)},
			}},
		}
	}
	output := must(ses.SendEmail(context.Background(), input("go-sesv2@inbox.test")))
	_, err := ses.SendEmail(context.Background(), input("a@else.test"))
	found["sesv2"] = sent{"go-sesv2@inbox.test", *output.MessageId, err.Error()}

	os.Stdout.Write(must(json.Marshal(found)))
}
