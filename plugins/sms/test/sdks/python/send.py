"""Runs jobs with each provider's SDK for Python (../../sdks.full.test.ts): reads a JSON list of jobs, writes results."""

import json
import os
import sys

import boto3
import botocore.exceptions
import messagebird
import messagebird.http_client
import plivo
import plivo.exceptions
import plivo.rest.client
from twilio.base.exceptions import TwilioRestException
from twilio.http.http_client import TwilioHttpClient
from twilio.rest import Client


class LocalHttpClient(TwilioHttpClient):
    def request(self, method, url, *args, **kwargs):
        local = url.replace("https://api.twilio.com", os.environ["TWILIO_BASE_URL"])
        return super().request(method, local, *args, **kwargs)


http_client = LocalHttpClient() if "TWILIO_BASE_URL" in os.environ else None
messages = Client("ACany", "any", http_client=http_client).messages

BASE_URL = os.environ.get("MESSAGEBIRD_BASE_URL", "https://rest.messagebird.com")
bird = messagebird.Client("any", http_client=messagebird.http_client.HttpClient(BASE_URL, "any", "test"))

if "PLIVO_BASE_URL" in os.environ:
    plivo.rest.client.PLIVO_API_BASE_URI = os.environ["PLIVO_BASE_URL"] + "/v1/Account"
plivo_client = plivo.RestClient("MA" + "X" * 18, "any")


def send_twilio(job):
    sent = messages.create(from_=job["from"], to=job["to"], body=job["text"])
    listed = messages.list(to=job["to"], limit=1)
    return {"ids": [sent.sid], "also": [messages(sent.sid).fetch().body, listed[0].sid]}


def delete_twilio(job):
    sent = messages.create(from_=job["from"], to=job["to"], body=job["text"])
    return {"ids": [], "also": [messages(sent.sid).delete()]}


def send_sns(job):
    return {"ids": [boto3.client("sns").publish(PhoneNumber=job["to"], Message=job["text"])["MessageId"]]}


def send_sms_voice(job):
    client = boto3.client("pinpoint-sms-voice-v2")
    sent = client.send_text_message(DestinationPhoneNumber=job["to"], MessageBody=job["text"])
    return {"ids": [sent["MessageId"]]}


def send_messagebird(job):
    return {"ids": [bird.message_create(job["from"], [job["to"]], job["text"]).id]}


def send_plivo(job):
    return {"ids": plivo_client.messages.create(src=job["from"], dst=job["to"], text=job["text"]).message_uuid}


CALLS = {
    "twilio": send_twilio,
    "twilio delete": delete_twilio,
    "sns": send_sns,
    "sms-voice": send_sms_voice,
    "messagebird": send_messagebird,
    "plivo": send_plivo,
}


def carry_out(job):
    try:
        return CALLS[job["call"]](job)
    except TwilioRestException as error:
        return {"error": error.code}
    except botocore.exceptions.ClientError as error:
        return {"error": error.response["Error"]["Code"]}
    except messagebird.client.ErrorException as error:
        return {"error": error.errors[0].code}
    except plivo.exceptions.PlivoRestError as error:
        return {"error": str(error)}


print(json.dumps([carry_out(job) for job in json.load(sys.stdin)]))
