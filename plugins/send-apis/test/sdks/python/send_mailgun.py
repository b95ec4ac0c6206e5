import base64
import json
import os

import requests

MAILGUN_URL = os.environ.get("MAILGUN_URL", "https://api.mailgun.net")
MESSAGES = f"{MAILGUN_URL}/v3/mg.acme.test/messages"
KEY = ("api", os.environ["MAILGUN_API_KEY"])


def post(url, data, files=()):
    answer = requests.post(url, auth=KEY, data=data, files=files, timeout=30)
    answer.raise_for_status()
    return [answer.json()["id"]]


def mail_of(job):
    sender = job["from"]
    return {
        "from": f'"{sender["name"]}" <{sender["email"]}>' if sender else None,
        "to": [f'"{to["name"]}" <{to["email"]}>' if to["name"] else to["email"] for to in job["to"]],
        "cc": job["cc"],
        "bcc": job["bcc"],
        "subject": job["subject"],
        "text": job["text"] or None,
        "html": job["html"] or None,
    }


def part_of(file):
    kind, name = ("inline", file["cid"]) if file["cid"] else ("attachment", file["name"])
    return (kind, (name, base64.b64decode(file["content"]), file["type"]))


class Mailgun:
    def send(job):
        return post(MESSAGES, mail_of(job), [part_of(file) for file in job["files"]])

    def raw(job):
        message = ("message", ("message.mime", base64.b64decode(job["raw"])))
        return post(f"{MESSAGES}.mime", {"to": [to["email"] for to in job["to"]]}, [message])

    def batch(job):
        variables = {one["email"]: {"code": one["code"]} for one in job["each"]}
        own = {"to": list(variables), "text": "Code: %recipient.code%", "recipient-variables": json.dumps(variables)}
        return post(MESSAGES, {**mail_of(job), **own})

    def template(job):
        template = job["template"]
        own = {"template": template["id"], "t:variables": json.dumps(template["variables"])}
        return post(MESSAGES, {**mail_of(job), **own})

    def failure(error):
        return {"status": error.response.status_code, "code": None, "message": error.response.json()["message"]}
