"""Sends a mail with each provider's SDK for Python, to an address of its own; prints {name: {address, id}} as JSON."""

import base64
import json
import os
import sys

URL, CODE = sys.argv[1:3]
SENT = {}


def address(name):
    return f"py-{name}@inbox.test"


def refused(send):
    """The error of an SDK, as its type and text."""
    try:
        send()
    except Exception as error:  # noqa: BLE001 - each SDK has its own
        return f"{type(error).__name__}: {getattr(error, 'body', error)}"
    return None


TEXT = f"Your code is {CODE}, für dich"
HTML = f"<p>Your code is <b>{CODE}</b></p>"

os.environ["RESEND_API_URL"] = URL
import resend  # noqa: E402 - reads its URL when it is imported

resend.api_key = "re_123"
mail = {
    "from": "Äpp <app@acme.test>",
    "to": [address("resend")],
    "cc": address("resend-cc"),
    "subject": "Wélcome",
    "text": TEXT,
    "html": HTML,
    "attachments": [{"filename": "héllo.txt", "content": list(b"hello")}],
}
SENT["resend"] = {"id": resend.Emails.send(mail)["id"], "error": refused(lambda: resend.Emails.send({**mail, "to": "a@else.test"}))}
batch = resend.Batch.send([{**mail, "to": [address("resend-batch")], "attachments": []}])
SENT["resend-batch"] = {"id": batch["data"][0]["id"]}
template = {"id": "welcome", "variables": {"CODE": CODE}}
SENT["resend-template"] = {"id": resend.Emails.send({"from": mail["from"], "to": address("resend-template"), "template": template})["id"]}

import sendgrid  # noqa: E402
from sendgrid.helpers.mail import Attachment, Mail  # noqa: E402

client = sendgrid.SendGridAPIClient("SG.123", host=URL)


def sendgrid_mail(to):
    mail = Mail(("app@acme.test", "Äpp"), to, "Wélcome", plain_text_content=TEXT, html_content=HTML)
    mail.add_attachment(Attachment(base64.b64encode(b"hello").decode(), "héllo.txt", "text/plain"))
    return mail


answer = client.send(sendgrid_mail(address("sendgrid")))
assert answer.status_code == 202, answer.status_code
SENT["sendgrid"] = {"id": answer.headers["X-Message-Id"], "error": refused(lambda: client.send(sendgrid_mail("a@else.test")))}
dynamic = Mail("app@acme.test", address("sendgrid-template"))
dynamic.template_id = "d-123"
dynamic.dynamic_template_data = {"code": CODE}
SENT["sendgrid-template"] = {"id": client.send(dynamic).headers["X-Message-Id"]}

from postmarker.core import PostmarkClient  # noqa: E402

postmark = PostmarkClient(server_token="token", root_api_url=URL)


def postmark_mail(to):
    return postmark.emails.send(From="Äpp <app@acme.test>", To=to, Subject="Wélcome", TextBody=TEXT, HtmlBody=HTML)


SENT["postmark"] = {"id": postmark_mail(address("postmark"))["MessageID"], "error": refused(lambda: postmark_mail("a@else.test"))}

import boto3  # noqa: E402

aws = {"aws_access_key_id": "AKIA123", "aws_secret_access_key": "secret", "region_name": "us-east-1"}
os.environ["AWS_ENDPOINT_URL_SES"] = URL
os.environ["AWS_ENDPOINT_URL_SESV2"] = URL
v1 = boto3.client("ses", **aws)
v2 = boto3.client("sesv2", **aws)


def v1_mail(to):
    content = {"Subject": {"Data": "Wélcome"}, "Body": {"Text": {"Data": TEXT}, "Html": {"Data": HTML}}}
    return v1.send_email(Source="app@acme.test", Destination={"ToAddresses": [to]}, Message=content)


def v2_mail(to):
    content = {"Simple": {"Subject": {"Data": "Wélcome"}, "Body": {"Text": {"Data": TEXT}, "Html": {"Data": HTML}}}}
    return v2.send_email(FromEmailAddress="app@acme.test", Destination={"ToAddresses": [to]}, Content=content)


raw = f"From: app@acme.test\nTo: {{}}\nSubject: Raw\n\nYour code is {CODE}\n"
SENT["ses"] = {"id": v1_mail(address("ses"))["MessageId"], "error": refused(lambda: v1_mail("a@else.test"))}
SENT["ses-raw"] = {"id": v1.send_raw_email(RawMessage={"Data": raw.format(address("ses-raw"))})["MessageId"]}
SENT["sesv2"] = {"id": v2_mail(address("sesv2"))["MessageId"], "error": refused(lambda: v2_mail("a@else.test"))}
data = raw.format(address("sesv2-raw")).encode()
SENT["sesv2-raw"] = {"id": v2.send_email(Content={"Raw": {"Data": data}})["MessageId"]}

import requests  # noqa: E402

answer = requests.post(
    f"{URL}/v3/mg.acme.test/messages",
    auth=("api", "key-123"),
    data={"from": "Äpp <app@acme.test>", "to": [address("mailgun")], "subject": "Wélcome", "text": TEXT, "html": HTML},
    files=[("attachment", ("héllo.txt", b"hello"))],
    timeout=30,
)
SENT["mailgun"] = {"id": answer.json()["id"]}

print(json.dumps({name: {"address": address(name), **sent} for name, sent in SENT.items()}))
