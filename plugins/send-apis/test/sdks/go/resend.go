package main

import (
	"os"

	"github.com/resend/resend-go/v3"
)

var resendClient = resend.NewClient(os.Getenv("RESEND_API_KEY"))

func resendMail(j job) *resend.SendEmailRequest {
	mail := &resend.SendEmailRequest{
		From: j.sender(), To: j.recipients(), Cc: j.Cc, Bcc: j.Bcc, Subject: j.Subject, Text: j.Text, Html: j.Html,
	}
	for _, f := range j.Files {
		mail.Attachments = append(mail.Attachments, &resend.Attachment{
			Filename: f.Name, ContentType: f.Type, Content: f.Content, ContentId: f.Cid,
		})
	}
	return mail
}

func resendSend(mail *resend.SendEmailRequest) ([]string, error) {
	sent, err := resendClient.Emails.Send(mail)
	if err != nil {
		return nil, err
	}
	return []string{sent.Id}, nil
}

var resendGo = sdk{
	calls: map[string]func(job) ([]string, error){
		"send": func(j job) ([]string, error) { return resendSend(resendMail(j)) },
		"batch": func(j job) (ids []string, err error) {
			var mails []*resend.SendEmailRequest
			for _, each := range j.Each {
				mail := resendMail(j)
				mail.To, mail.Text = []string{each.Email}, "Code: "+each.Code
				mails = append(mails, mail)
			}
			sent, err := resendClient.Batch.Send(mails)
			if err != nil {
				return nil, err
			}
			for _, each := range sent.Data {
				ids = append(ids, each.Id)
			}
			return ids, nil
		},
		"template": func(j job) ([]string, error) {
			template := &resend.EmailTemplate{Id: j.Template.Id, Variables: j.Template.Variables}
			return resendSend(&resend.SendEmailRequest{From: j.sender(), To: j.recipients(), Template: template})
		},
	},
	failure: func(err error) failed { return failed{Message: err.Error()} },
}
