import os
import smtplib
from email.message import EmailMessage


def sign_up(email):
    """Stands in for your application, which emails a code to new users."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "app@example.test", email, "Welcome"
    mail.set_content("Your code is 482913")
    host, port = os.environ.get("SMTP_HOST", "127.0.0.1"), int(os.environ.get("SMTP_PORT", "2525"))
    with smtplib.SMTP(host, port) as smtp:
        smtp.send_message(mail)


def test_the_code_of_the_email(inbox):
    sign_up(inbox.address)
    assert inbox.wait(hasOtp="true")["otp"] == "482913"
