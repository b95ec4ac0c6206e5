package main

import (
	"encoding/base64"
	"os"
	"strings"

	"github.com/mrz1836/postmark"
)

func newPostmark() *postmark.Client {
	client := postmark.NewClient(os.Getenv("POSTMARK_TOKEN"), "")
	if host := os.Getenv("POSTMARK_HOST"); host != "" {
		client.BaseURL = "http://" + host
	}
	return client
}

var postmarkClient = newPostmark()

func postmarkMail(j job) postmark.Email {
	mail := postmark.Email{
		From: j.sender(), To: strings.Join(j.recipients(), ", "), Cc: strings.Join(j.Cc, ", "), Bcc: strings.Join(j.Bcc, ", "),
		Subject: j.Subject, TextBody: j.Text, HTMLBody: j.Html,
	}
	for _, f := range j.Files {
		attachment := postmark.Attachment{
			Name: f.Name, ContentType: f.Type, Content: base64.StdEncoding.EncodeToString(f.Content),
		}
		if f.Cid != "" {
			attachment.ContentID = "cid:" + f.Cid
		}
		mail.Attachments = append(mail.Attachments, attachment)
	}
	return mail
}

var postmarkGo = sdk{
	calls: map[string]func(job) ([]string, error){
		"send": func(j job) ([]string, error) {
			sent, err := postmarkClient.SendEmail(ctx, postmarkMail(j))
			return one(sent.MessageID, err)
		},
		"batch": func(j job) (ids []string, err error) {
			var mails []postmark.Email
			for _, each := range j.Each {
				mail := postmarkMail(j)
				mail.To, mail.TextBody = each.Email, "Code: "+each.Code
				mails = append(mails, mail)
			}
			answers, err := postmarkClient.SendEmailBatch(ctx, mails)
			for _, sent := range answers {
				ids = append(ids, sent.MessageID)
			}
			return ids, err
		},
		"template": func(j job) ([]string, error) {
			sent, err := postmarkClient.SendTemplatedEmail(ctx, postmark.TemplatedEmail{
				From: j.sender(), To: strings.Join(j.recipients(), ", "),
				TemplateAlias: j.Template.Id, TemplateModel: j.Template.Variables,
			})
			return one(sent.MessageID, err)
		},
	},
	failure: func(err error) failed {
		told := err.(postmark.APIError)
		return failed{Code: told.ErrorCode, Message: told.Message}
	},
}
