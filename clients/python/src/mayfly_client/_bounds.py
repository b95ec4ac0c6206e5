"""All bounds of the client. Times are in seconds."""

# The default timeout. Shorter than most runners' test timeouts, so that a test fails with the wait's explanation.
STANDARD_TIMEOUT = 20.0
# Default limit of a call until the client's first connection is open. After that, only a call's timeout applies.
STANDARD_CONNECT_TIMEOUT = 3.0
# How long to watch for further emails by default.
STANDARD_QUIET = 1.0
# Maximum wait: the maximum retention (interface section 8). A longer wait is a mistake.
MAX_WAIT = 1_800.0
# A wait shorter than this proves nothing about the service, because hardly any service answers that fast.
SHORT_WAIT = 0.12
# Default maximum number of emails in an inbox.
MAX_COUNT = 1_000
# Pauses after a failure. Each consecutive failure doubles the pause.
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 2.0
# A stream that ends sooner without an event counts as failed. A server's stream lasts 30 s (interface section 8).
SHORTEST_STREAM = 0.1
# How long before its end a wait reads the inbox for its error message. At most half of the wait.
LAST_LOOK = 2.0
# How long after its timeout a wait may read the inbox for its error message: EXPLAINED if the service answers, SILENT
# if it does not, 0 if it refuses. Never longer than the wait, and over before pytest-timeout ends the test.
EXPLAINED = 4.0
SILENT = 1.0
# If a wait ends this long after its deadline, its process got no CPU, and its last read gets more time.
STARVED = 0.5
# After this silence of a stream, a read checks for a missed email. The time doubles with each read.
HEDGE = 3.0
PAGE_SIZE = 200
# Lists with more emails than this are fetched as a whole.
MAX_READ_SINGLY = 20
MAX_EXPLAINED_BYTES = 2**22
# Maximum number of emails that are read again to find out whether another call would find a code or link.
MAX_INSPECTED = 3
MAX_NAMED = 10
# How many of its newest inboxes a client remembers, and in how many of them a failed wait looks for mail.
MAX_OWN = 20
MAX_OWN_ASKED = 5
# Maximum characters of a link that a message shows, and of a text that is searched for a number.
MAX_HINTED_LENGTH = 300
MAX_NUMBERED_LENGTH = 5_000
MAX_CLOCK = 1.0
MAX_SUBJECT_LENGTH = 60
# Maximum time from a request to the first byte of its response, and between two of its bytes.
SILENCE_TIMEOUT = 15.0
# Maximum time until the first bytes of a stream, which Mayfly sends immediately.
FIRST_BYTES_TIMEOUT = 2.0
# Maximum concurrent requests to a service. Streams that are being opened have a separate limit of the same size.
AT_ONCE = 64
# Maximum number of services whose concurrent requests are counted. One more service resets the counts of all to 0.
MAX_SERVICES = 100
# Maximum share that is added at random to a requested pause, so that clients with equal pauses do not retry together.
RETRY_SPREAD = 0.25
# Pause after a 429 without Retry-After, and the bounds of Retry-After.
STANDARD_RETRY = 1.0
LEAST_RETRY = 0.1
MOST_RETRY = 3_600.0
# Maximum bytes of an error's text to read, and maximum time to read them after the status.
MAX_ERROR_BYTES = 2**16
ERROR_TEXT_TIMEOUT = 1.0
MAX_QUOTE_LENGTH = 200
# Maximum bytes of a response with whole messages, of a stream's event, and of any other response, such as a list of
# 4,000 summaries. If an email is too large for an event, a wait finds it in the list.
MAX_MESSAGES_BYTES = 2**29
MAX_EVENT_BYTES = 2**25
MAX_LIST_BYTES = 2**22
# Maximum digits of a number, enough for a 64-bit integer.
MAX_DIGITS = 20
# Maximum bytes of a response's header section, and of its trailer section.
MAX_HEAD_BYTES = 2**16
MAX_CHUNK_LINE = 2**10
# Concurrent name lookups.
MAX_LOOKUPS = 64
READ_BYTES = 2**16
MAX_HEADER_LENGTH = 2**15
MAX_NAME_LENGTH = 64
MAX_DOMAIN_LENGTH = 255
# 12 characters of 5 bits: 60 bits, too many to guess (D15).
SECRET_LENGTH = 12
# Leaves room for two words of six letters, the secret and the hyphens before each.
MAX_PREFIX_LENGTH = MAX_NAME_LENGTH - 2 * 7 - (SECRET_LENGTH + 1)
# Maximum number of kinds of delivery attempts in a timeout's message, and maximum characters for each kind.
MAX_KINDS = 4
MAX_KIND_LENGTH = 600
# How many seconds before the start of the wait the earliest of these attempts may be.
BEFORE_WAIT = 30.0
# A secret of a private inbox or of a run: 26 characters of 5 bits, 130 bits.
LONG_SECRET_LENGTH = 26
# Maximum bytes and tests of a report. By default, the service accepts 16 KiB and 100 tests.
MAX_REPORT_BYTES = 14_000
MAX_REPORTED_AT_ONCE = 100
# Maximum number of tests that wait to be reported. The oldest are dropped.
MAX_UNREPORTED = 1_000
# Timeout of a report, number of tries, and longest pause before a retry.
REPORT_TIMEOUT = 5.0
MAX_REPORT_TRIES = 4
MOST_REPORT_PAUSE = 5.0
# How long a run waits for its reports at its end, and a failed test for its own report before the test prints the URL.
LAST_REPORTS = 2.0
FAILED_REPORT = 0.5
# Limits of a reported test, like those of the service: inboxes, waits, and characters of the title, of the error and of
# each wait. Texts are shortened further if the report is too large.
MAX_REPORTED_INBOXES = 10
MAX_REPORTED_WAITS = 5
MAX_TITLE_LENGTH = 300
REPORTED_TEXT_LENGTHS = (2_000, 500, 100)
# Length of a test's ID. Long enough that IDs do not collide within a run.
TEST_ID_LENGTH = 12
