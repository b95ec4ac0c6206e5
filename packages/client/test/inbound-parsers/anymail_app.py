"""An application with django-anymail's inbound webhooks. Prints each email that anymail reads, as a line of JSON."""

import json
import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from django.conf import settings
from django.urls import include, path

urlpatterns = [path("anymail/", include("anymail.urls"))]
settings.configure(
    ALLOWED_HOSTS=["*"],
    ANYMAIL=json.loads(sys.argv[1]),
    INSTALLED_APPS=["anymail"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="a secret of a test",
)
django.setup()

from anymail.signals import inbound  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402


def show(sender, event, esp_name, **_):
    message = event.message
    files = [*message.attachments, *message.content_id_map.values()]
    read = {
        "esp": esp_name,
        "envelope": [message.envelope_sender, message.envelope_recipient],
        "from": str(message.from_email),
        "to": [str(one) for one in message.to],
        "cc": [str(one) for one in message.cc],
        "subject": message.subject,
        "text": (message.text or "").replace("\r\n", "\n").rstrip("\n"),
        "html": (message.html or "").rstrip("\n"),
        "stripped": message.stripped_text,
        "spam": message.spam_score,
        "thread": [message["In-Reply-To"], message["References"]],
        "reply": message["Reply-To"],
        "files": [[one.get_filename(), one.get_content_type(), list(one.get_content_bytes())] for one in files],
        "cids": sorted(message.content_id_map),
    }
    print(json.dumps(read), flush=True)


inbound.connect(show)


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)
print(json.dumps({"port": server.server_port}), flush=True)
server.serve_forever()
