"""Sends each message that first-mail.full.test.ts planned, with the library's default settings. Prints each result."""

import asyncio
import json
import smtplib
import sys
from email.message import EmailMessage

import aiosmtplib


def with_smtplib(mail, message):
    with smtplib.SMTP(mail["host"], mail["port"]) as smtp:
        if mail["user"]:
            smtp.login(mail["user"], mail["password"])
        smtp.send_message(message)


def with_aiosmtplib(mail, message):
    credentials = {"username": mail["user"], "password": mail["password"]} if mail["user"] else {}
    asyncio.run(aiosmtplib.send(message, hostname=mail["host"], port=mail["port"], **credentials))


SEND = {"smtplib": with_smtplib, "aiosmtplib": with_aiosmtplib}

for mail in json.loads(sys.argv[1]):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "app@app.test", mail["to"], "Hello"
    message.set_content(mail["text"])
    try:
        SEND[mail["library"]](mail, message)
        print(mail["to"], "sent")
    except Exception as error:
        print(mail["to"], " ".join(str(error).split()))
