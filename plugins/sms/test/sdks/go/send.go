// Runs jobs with each provider's SDK for Go (../../sdks.full.test.ts): reads a JSON list of jobs, writes a list of results.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/pinpointsmsvoicev2"
	"github.com/aws/aws-sdk-go-v2/service/sns"
	"github.com/aws/smithy-go"
	"github.com/twilio/twilio-go"
	"github.com/twilio/twilio-go/client"
	api "github.com/twilio/twilio-go/rest/api/v2010"
)

type job struct {
	Call, From, To, Text string
}

type outcome struct {
	Ids   []string `json:"ids,omitempty"`
	Also  []string `json:"also,omitempty"`
	Error any      `json:"error,omitempty"`
}

type localClient struct{ client.Client }

func (c *localClient) SendRequest(method string, rawURL string, data url.Values, headers map[string]interface{}, body ...byte) (*http.Response, error) {
	local := strings.Replace(rawURL, "https://api.twilio.com", os.Getenv("TWILIO_BASE_URL"), 1)
	return c.Client.SendRequest(method, local, data, headers, body...)
}

func newTwilio() *twilio.RestClient {
	base := &localClient{client.Client{Credentials: client.NewCredentials("ACany", "any")}}
	base.SetAccountSid("ACany")
	return twilio.NewRestClientWithParams(twilio.ClientParams{Client: base})
}

func sendTwilio(job job) outcome {
	messages := newTwilio().Api
	params := (&api.CreateMessageParams{}).SetFrom(job.From).SetTo(job.To).SetBody(job.Text)
	sent, err := messages.CreateMessage(params)
	if err != nil {
		var failure *client.TwilioRestError
		errors.As(err, &failure)
		return outcome{Error: failure.Code}
	}
	fetched, err := messages.FetchMessage(*sent.Sid, nil)
	if err != nil {
		return outcome{Error: err.Error()}
	}
	listed, err := messages.ListMessage((&api.ListMessageParams{}).SetTo(job.To).SetLimit(1))
	if err != nil {
		return outcome{Error: err.Error()}
	}
	return outcome{Ids: []string{*sent.Sid}, Also: []string{*fetched.Body, *listed[0].Sid}}
}

func deleteTwilio(job job) outcome {
	sent := sendTwilio(job)
	if sent.Error != nil {
		return sent
	}
	if err := newTwilio().Api.DeleteMessage(sent.Ids[0], nil); err != nil {
		return outcome{Error: err.Error()}
	}
	return outcome{Also: []string{"true"}}
}

func sendAws(job job) (id *string, err error) {
	loaded, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		return nil, err
	}
	if job.Call == "sns" {
		sent, err := sns.NewFromConfig(loaded).Publish(context.Background(), &sns.PublishInput{PhoneNumber: &job.To, Message: &job.Text})
		if err != nil {
			return nil, err
		}
		return sent.MessageId, nil
	}
	input := &pinpointsmsvoicev2.SendTextMessageInput{DestinationPhoneNumber: &job.To, MessageBody: &job.Text}
	sent, err := pinpointsmsvoicev2.NewFromConfig(loaded).SendTextMessage(context.Background(), input)
	if err != nil {
		return nil, err
	}
	return sent.MessageId, nil
}

func carryOut(job job) outcome {
	switch job.Call {
	case "twilio":
		return sendTwilio(job)
	case "twilio delete":
		return deleteTwilio(job)
	}
	id, err := sendAws(job)
	var failure smithy.APIError
	if errors.As(err, &failure) {
		return outcome{Error: failure.ErrorCode()}
	}
	return outcome{Ids: []string{aws.ToString(id)}}
}

func main() {
	var jobs []job
	if err := json.NewDecoder(os.Stdin).Decode(&jobs); err != nil {
		panic(err)
	}
	outcomes := []outcome{}
	for _, job := range jobs {
		outcomes = append(outcomes, carryOut(job))
	}
	if err := json.NewEncoder(os.Stdout).Encode(outcomes); err != nil {
		panic(err)
	}
}
