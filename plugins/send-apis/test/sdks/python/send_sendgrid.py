import json
import os

from sendgrid import SendGridAPIClient
from sendgrid.helpers.mail import (
    Attachment,
    Bcc,
    Cc,
    ContentId,
    Disposition,
    From,
    Mail,
    Personalization,
    Substitution,
    To,
)

BASE_URL = os.environ.get("SENDGRID_BASE_URL", "https://api.sendgrid.com")
client = SendGridAPIClient(os.environ["SENDGRID_API_KEY"], host=BASE_URL)


def mail_of(job):
    mail = Mail(
        from_email=From(job["from"]["email"], job["from"]["name"]) if job["from"] else None,
        to_emails=[To(to["email"], to["name"]) for to in job["to"]],
        subject=job["subject"],
        plain_text_content=job["text"] or None,
        html_content=job["html"] or None,
    )
    for address in job["cc"]:
        mail.add_cc(Cc(address))
    for address in job["bcc"]:
        mail.add_bcc(Bcc(address))
    for file in job["files"]:
        attachment = Attachment(file["content"], file["name"], file["type"])
        if file["cid"]:
            attachment.disposition, attachment.content_id = Disposition("inline"), ContentId(file["cid"])
        mail.add_attachment(attachment)
    return mail


def send(mail):
    return [client.send(mail).headers["X-Message-Id"]]


class SendGrid:
    def send(job):
        return send(mail_of(job))

    def batch(job):
        mail = Mail(From(job["from"]["email"]), subject=job["subject"], plain_text_content="Code: -code-")
        for one in job["each"]:
            own = Personalization()
            own.add_to(To(one["email"]))
            own.add_substitution(Substitution("-code-", one["code"]))
            mail.add_personalization(own)
        return send(mail)

    def template(job):
        mail = Mail(From(job["from"]["email"]), [To(to["email"]) for to in job["to"]])
        mail.template_id = job["template"]["id"]
        mail.dynamic_template_data = job["template"]["variables"]
        return send(mail)

    def failure(error):
        return {"status": error.status_code, "code": None, "message": json.loads(error.body)["errors"][0]["message"]}
