"""Runs jobs with each provider's SDK for Python: reads a JSON list of jobs, writes a JSON list of results."""

import json
import sys

from send_mailgun import Mailgun
from send_postmark import Postmark
from send_resend import Resend
from send_sendgrid import SendGrid
from send_ses import Ses, SesV2

SDKS = {"resend": Resend, "sendgrid": SendGrid, "postmarker": Postmark, "requests": Mailgun, "boto3 ses": Ses, "boto3 sesv2": SesV2}


def outcome_of(job):
    sdk = SDKS[job["sdk"]]
    try:
        return {"ids": getattr(sdk, job["call"])(job)}
    except Exception as error:  # each SDK has its own
        return {"error": {"type": type(error).__name__, **sdk.failure(error)}}


json.dump([outcome_of(job) for job in json.load(sys.stdin)], sys.stdout)
