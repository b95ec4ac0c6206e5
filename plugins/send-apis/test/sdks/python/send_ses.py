import base64
import json
from email.utils import formataddr

import boto3

ses = boto3.client("ses")
sesv2 = boto3.client("sesv2")


def sender_of(job):
    sender = job["from"]
    return formataddr((sender["name"], sender["email"])) if sender else ""


def destination_of(job):
    return {
        "ToAddresses": [formataddr((to["name"], to["email"])) for to in job["to"]],
        "CcAddresses": job["cc"],
        "BccAddresses": job["bcc"],
    }


def message_of(job):
    body = {name: {"Data": job[name.lower()]} for name in ("Text", "Html") if job[name.lower()]}
    return {"Subject": {"Data": job["subject"]}, "Body": body}


def attachment_of(file):
    own = {"ContentDisposition": "INLINE", "ContentId": file["cid"]} if file["cid"] else {}
    content = base64.b64decode(file["content"])
    return {"FileName": file["name"], "ContentType": file["type"], "RawContent": content, **own}


def failure(error):
    answer = error.response
    return {
        "status": answer["ResponseMetadata"]["HTTPStatusCode"],
        "code": answer["Error"]["Code"],
        "message": answer["Error"]["Message"],
    }


class Ses:
    def send(job):
        sent = ses.send_email(Source=sender_of(job), Destination=destination_of(job), Message=message_of(job))
        return [sent["MessageId"]]

    def raw(job):
        return [ses.send_raw_email(RawMessage={"Data": base64.b64decode(job["raw"])})["MessageId"]]

    def batch(job):
        sent = ses.send_bulk_templated_email(
            Source=sender_of(job),
            Template=job["template"]["id"],
            DefaultTemplateData="{}",
            Destinations=[
                {
                    "Destination": {"ToAddresses": [one["email"]]},
                    "ReplacementTemplateData": json.dumps({"code": one["code"]}),
                }
                for one in job["each"]
            ],
        )
        return [one["MessageId"] for one in sent["Status"]]

    def template(job):
        sent = ses.send_templated_email(
            Source=sender_of(job),
            Destination=destination_of(job),
            Template=job["template"]["id"],
            TemplateData=json.dumps(job["template"]["variables"]),
        )
        return [sent["MessageId"]]

    failure = failure


class SesV2:
    def send(job):
        simple = {**message_of(job), "Attachments": [attachment_of(file) for file in job["files"]]}
        return send({"Simple": simple}, job)

    def raw(job):
        return [sesv2.send_email(Content={"Raw": {"Data": base64.b64decode(job["raw"])}})["MessageId"]]

    def batch(job):
        sent = sesv2.send_bulk_email(
            FromEmailAddress=sender_of(job),
            DefaultContent={"Template": {"TemplateName": job["template"]["id"], "TemplateData": "{}"}},
            BulkEmailEntries=[
                {
                    "Destination": {"ToAddresses": [one["email"]]},
                    "ReplacementEmailContent": {
                        "ReplacementTemplate": {"ReplacementTemplateData": json.dumps({"code": one["code"]})}
                    },
                }
                for one in job["each"]
            ],
        )
        return [one["MessageId"] for one in sent["BulkEmailEntryResults"]]

    def template(job):
        template = job["template"]
        data = json.dumps(template["variables"])
        return send({"Template": {"TemplateName": template["id"], "TemplateData": data}}, job)

    failure = failure


def send(content, job):
    sent = sesv2.send_email(FromEmailAddress=sender_of(job), Destination=destination_of(job), Content=content)
    return [sent["MessageId"]]
