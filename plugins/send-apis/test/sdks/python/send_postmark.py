import os

from postmarker.core import PostmarkClient

HOST = os.environ.get("POSTMARK_HOST")
ROOT = f"http://{HOST}" if HOST else "https://api.postmarkapp.com"
client = PostmarkClient(os.environ["POSTMARK_TOKEN"], root_api_url=ROOT)


def mail_of(job):
    sender = job["from"]
    return {
        "From": f'"{sender["name"]}" <{sender["email"]}>' if sender else "",
        "To": ", ".join(f'"{to["name"]}" <{to["email"]}>' if to["name"] else to["email"] for to in job["to"]),
        "Cc": ", ".join(job["cc"]),
        "Bcc": ", ".join(job["bcc"]),
        "Subject": job["subject"],
        "TextBody": job["text"],
        "HtmlBody": job["html"],
        "Attachments": [attachment_of(file) for file in job["files"]],
    }


def attachment_of(file):
    attachment = {"Name": file["name"], "Content": file["content"], "ContentType": file["type"]}
    return {**attachment, "ContentID": f"cid:{file['cid']}"} if file["cid"] else attachment


class Postmark:
    def send(job):
        return [client.emails.send(**mail_of(job))["MessageID"]]

    def batch(job):
        mails = [{**mail_of(job), "To": one["email"], "TextBody": f"Code: {one['code']}"} for one in job["each"]]
        return [sent["MessageID"] for sent in client.emails.send_batch(*mails)]

    def template(job):
        mail, template = mail_of(job), job["template"]
        people = {"From": mail["From"], "To": mail["To"]}
        sent = client.emails.send_with_template(
            TemplateId=None, TemplateAlias=template["id"], TemplateModel=template["variables"], **people
        )
        return [sent["MessageID"]]

    def failure(error):
        return {"status": None, "code": error.error_code, "message": str(error)}
