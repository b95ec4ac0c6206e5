// Sends each message that first-mail.full.test.ts planned, with net/smtp's default settings. Prints each result.
package main

import (
	"encoding/json"
	"fmt"
	"net/smtp"
	"os"
)

type mail struct {
	Host, To, Text string
	Port           int
	User, Password *string
}

func send(mail mail) error {
	var auth smtp.Auth
	if mail.User != nil {
		auth = smtp.PlainAuth("", *mail.User, *mail.Password, mail.Host)
	}
	message := "From: app@app.test\r\nTo: " + mail.To + "\r\nSubject: Hello\r\n\r\n" + mail.Text + "\r\n"
	server := fmt.Sprintf("%s:%d", mail.Host, mail.Port)
	return smtp.SendMail(server, auth, "app@app.test", []string{mail.To}, []byte(message))
}

func main() {
	var plan []mail
	if err := json.Unmarshal([]byte(os.Args[1]), &plan); err != nil {
		panic(err)
	}
	for _, mail := range plan {
		if err := send(mail); err != nil {
			fmt.Println(mail.To, err)
		} else {
			fmt.Println(mail.To, "sent")
		}
	}
}
