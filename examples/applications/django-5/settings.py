import os

EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
EMAIL_HOST = os.environ.get("SMTP_HOST", "127.0.0.1")
EMAIL_PORT = int(os.environ.get("SMTP_PORT", "2525"))
EMAIL_USE_TLS = False
