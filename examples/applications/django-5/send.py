"""Stands in for an application with these settings."""

import os

import django
from django.core.mail import send_mail

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
django.setup()
send_mail("Welcome", "Your code is 482913", "app@example.test", [os.environ["TO"]])
