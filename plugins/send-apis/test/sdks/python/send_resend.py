import base64
import os

import resend

resend.api_key = os.environ["RESEND_API_KEY"]


def mail_of(job):
    sender = job["from"]
    return {
        **({"from": f"{sender['name']} <{sender['email']}>"} if sender else {}),
        "to": [f'"{to["name"]}" <{to["email"]}>' if to["name"] else to["email"] for to in job["to"]],
        "cc": job["cc"],
        "bcc": job["bcc"],
        "subject": job["subject"],
        "text": job["text"],
        "html": job["html"],
        "attachments": [attachment_of(file) for file in job["files"]],
    }


def attachment_of(file):
    attachment = {"filename": file["name"], "content_type": file["type"], "content": list(base64.b64decode(file["content"]))}
    return {**attachment, "content_id": file["cid"]} if file["cid"] else attachment


class Resend:
    def send(job):
        return [resend.Emails.send(mail_of(job))["id"]]

    def batch(job):
        mails = [{**mail_of(job), "to": [one["email"]], "text": f"Code: {one['code']}", "attachments": []} for one in job["each"]]
        return [sent["id"] for sent in resend.Batch.send(mails)["data"]]

    def template(job):
        mail = mail_of(job)
        return [resend.Emails.send({"from": mail["from"], "to": mail["to"], "template": job["template"]})["id"]]

    def failure(error):
        return {"status": error.code, "code": error.error_type, "message": str(error)}
