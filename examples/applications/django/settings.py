import os

MAILERS = {
    "default": {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": os.environ.get("SMTP_HOST", "127.0.0.1"),
            "port": int(os.environ.get("SMTP_PORT", "2525")),
        },
    }
}
