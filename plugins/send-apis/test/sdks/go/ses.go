package main

import (
	"encoding/json"
	"errors"
	"net/mail"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/ses"
	v1 "github.com/aws/aws-sdk-go-v2/service/ses/types"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	v2 "github.com/aws/aws-sdk-go-v2/service/sesv2/types"
	"github.com/aws/smithy-go"
)

// Endpoint, region and credentials come from the environment.
var (
	awsConfig   = must(config.LoadDefaultConfig(ctx))
	sesClient   = ses.NewFromConfig(awsConfig)
	sesV2Client = sesv2.NewFromConfig(awsConfig)
)

// encoded returns an address whose name is in encoded words (RFC 2047), as SES accepts it.
func (p person) encoded() string {
	if p.Name == "" {
		return p.Email
	}
	return (&mail.Address{Name: p.Name, Address: p.Email}).String()
}

func sesSender(j job) *string {
	if j.From == nil {
		return aws.String("")
	}
	return aws.String(j.From.encoded())
}

func sesRecipients(j job) (found []string) {
	for _, to := range j.To {
		found = append(found, to.encoded())
	}
	return found
}

func asJSON(value any) *string { return aws.String(string(must(json.Marshal(value)))) }

func sesFailure(err error) failed {
	var told smithy.APIError
	var answer *http.ResponseError
	if !errors.As(err, &told) || !errors.As(err, &answer) {
		return failed{Message: err.Error()}
	}
	return failed{Status: answer.HTTPStatusCode(), Code: told.ErrorCode(), Message: told.ErrorMessage()}
}

func v1Content(text string) *v1.Content {
	if text == "" {
		return nil
	}
	return &v1.Content{Data: aws.String(text)}
}

var sesGo = sdk{
	calls: map[string]func(job) ([]string, error){
		"send": func(j job) ([]string, error) {
			sent, err := sesClient.SendEmail(ctx, &ses.SendEmailInput{
				Source:      sesSender(j),
				Destination: &v1.Destination{ToAddresses: sesRecipients(j), CcAddresses: j.Cc, BccAddresses: j.Bcc},
				Message: &v1.Message{
					Subject: v1Content(j.Subject),
					Body:    &v1.Body{Text: v1Content(j.Text), Html: v1Content(j.Html)},
				},
			})
			if err != nil {
				return nil, err
			}
			return []string{*sent.MessageId}, nil
		},
		"raw": func(j job) ([]string, error) {
			sent, err := sesClient.SendRawEmail(ctx, &ses.SendRawEmailInput{RawMessage: &v1.RawMessage{Data: j.Raw}})
			if err != nil {
				return nil, err
			}
			return []string{*sent.MessageId}, nil
		},
		"batch": func(j job) (ids []string, err error) {
			input := &ses.SendBulkTemplatedEmailInput{
				Source: sesSender(j), Template: &j.Template.Id, DefaultTemplateData: aws.String("{}"),
			}
			for _, each := range j.Each {
				input.Destinations = append(input.Destinations, v1.BulkEmailDestination{
					Destination:             &v1.Destination{ToAddresses: []string{each.Email}},
					ReplacementTemplateData: asJSON(map[string]string{"code": each.Code}),
				})
			}
			sent, err := sesClient.SendBulkTemplatedEmail(ctx, input)
			if err != nil {
				return nil, err
			}
			for _, each := range sent.Status {
				ids = append(ids, *each.MessageId)
			}
			return ids, nil
		},
		"template": func(j job) ([]string, error) {
			sent, err := sesClient.SendTemplatedEmail(ctx, &ses.SendTemplatedEmailInput{
				Source: sesSender(j), Destination: &v1.Destination{ToAddresses: sesRecipients(j)},
				Template: &j.Template.Id, TemplateData: asJSON(j.Template.Variables),
			})
			if err != nil {
				return nil, err
			}
			return []string{*sent.MessageId}, nil
		},
	},
	failure: sesFailure,
}

func v2Content(text string) *v2.Content {
	if text == "" {
		return nil
	}
	return &v2.Content{Data: aws.String(text)}
}

func sesV2Send(content *v2.EmailContent, from *string, to *v2.Destination) ([]string, error) {
	sent, err := sesV2Client.SendEmail(ctx, &sesv2.SendEmailInput{FromEmailAddress: from, Destination: to, Content: content})
	if err != nil {
		return nil, err
	}
	return []string{*sent.MessageId}, nil
}

func sesV2Files(j job) (found []v2.Attachment) {
	for _, f := range j.Files {
		attachment := v2.Attachment{FileName: aws.String(f.Name), ContentType: aws.String(f.Type), RawContent: f.Content}
		if f.Cid != "" {
			attachment.ContentDisposition, attachment.ContentId = v2.AttachmentContentDispositionInline, aws.String(f.Cid)
		}
		found = append(found, attachment)
	}
	return found
}

var sesV2Go = sdk{
	calls: map[string]func(job) ([]string, error){
		"send": func(j job) ([]string, error) {
			body := &v2.Body{Text: v2Content(j.Text), Html: v2Content(j.Html)}
			simple := &v2.Message{Subject: v2Content(j.Subject), Body: body, Attachments: sesV2Files(j)}
			to := &v2.Destination{ToAddresses: sesRecipients(j), CcAddresses: j.Cc, BccAddresses: j.Bcc}
			return sesV2Send(&v2.EmailContent{Simple: simple}, sesSender(j), to)
		},
		"raw": func(j job) ([]string, error) {
			return sesV2Send(&v2.EmailContent{Raw: &v2.RawMessage{Data: j.Raw}}, nil, nil)
		},
		"batch": func(j job) (ids []string, err error) {
			template := &v2.Template{TemplateName: &j.Template.Id, TemplateData: aws.String("{}")}
			input := &sesv2.SendBulkEmailInput{
				FromEmailAddress: sesSender(j), DefaultContent: &v2.BulkEmailContent{Template: template},
			}
			for _, each := range j.Each {
				data := asJSON(map[string]string{"code": each.Code})
				input.BulkEmailEntries = append(input.BulkEmailEntries, v2.BulkEmailEntry{
					Destination: &v2.Destination{ToAddresses: []string{each.Email}},
					ReplacementEmailContent: &v2.ReplacementEmailContent{
						ReplacementTemplate: &v2.ReplacementTemplate{ReplacementTemplateData: data},
					},
				})
			}
			sent, err := sesV2Client.SendBulkEmail(ctx, input)
			if err != nil {
				return nil, err
			}
			for _, each := range sent.BulkEmailEntryResults {
				ids = append(ids, *each.MessageId)
			}
			return ids, nil
		},
		"template": func(j job) ([]string, error) {
			template := &v2.Template{TemplateName: &j.Template.Id, TemplateData: asJSON(j.Template.Variables)}
			return sesV2Send(&v2.EmailContent{Template: template}, sesSender(j), &v2.Destination{ToAddresses: sesRecipients(j)})
		},
	},
	failure: sesFailure,
}
