"""Every bound of the client: how long (in seconds), how many and how much."""

# Less than a wait of most runners' tests, so that the test fails with the explanation of the wait.
STANDARD_TIMEOUT = 20.0
# Only for a service that has never answered: an open connection has the time of its call.
STANDARD_CONNECT_TIMEOUT = 3.0
# How long to watch for further emails by default.
STANDARD_QUIET = 1.0
# Longest time that may be waited: as long as an email is kept (interface section 8). Whatever is longer is a mistake.
MAX_WAIT = 1_800.0
# In less time than this, hardly a service answers.
SHORT_WAIT = 0.12
# As many emails as an inbox takes by default.
MAX_COUNT = 1_000
# How long to pause after a failure: twice as long after each that follows another.
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 2.0
# A stream that ends sooner without an event does not count as one: a server's lasts 30 s (interface section 8).
SHORTEST_STREAM = 0.1
# How long before its end, at most half of its time, a wait looks at the inbox for its error message.
LAST_LOOK = 2.0
# How much longer a wait may go on if that look is still being answered: at most as long as the wait itself, and half of
# the part of its test that waits leave. A service that does not answer the look has less, one that refuses has none.
EXPLAINED = 4.0
SILENT = 1.0
# How late a wait ends only if its process could not run.
STARVED = 0.5
# Silence of a stream after which a read checks for a missed email; then twice as long, and so on.
HEDGE = 3.0
PAGE_SIZE = 200
# Where a list has more emails than this, all of them are fetched in one go.
MAX_READ_SINGLY = 20
MAX_EXPLAINED_BYTES = 2**22
# How many emails are read again to learn whether another call would find something in them.
MAX_INSPECTED = 3
MAX_NAMED = 10
# How many inboxes of one client are known to the messages of its waits, and how many are asked, the newest ones.
MAX_OWN = 20
MAX_OWN_ASKED = 5
# How much of a link a message shows, and how much of a text is searched for a number.
MAX_HINTED_LENGTH = 300
MAX_NUMBERED_LENGTH = 5_000
MAX_CLOCK = 1.0
MAX_SUBJECT_LENGTH = 60
# How long an answer may take to begin, and how long nothing more of it may come.
SILENCE_TIMEOUT = 15.0
# Mayfly sends the first bytes of a stream immediately.
FIRST_BYTES_TIMEOUT = 2.0
# Concurrent requests to one service, and concurrent openings of streams.
AT_ONCE = 64
# For how many services a process counts its own requests. The count of a forgotten service begins anew.
MAX_SERVICES = 100
# Maximum addition to a requested pause, so that clients with the same answer do not return at the same time.
RETRY_SPREAD = 0.25
# How long a 429 makes a client wait if it names no time, and the bounds of the time that it names.
STANDARD_RETRY = 1.0
LEAST_RETRY = 0.1
MOST_RETRY = 3_600.0
# How much of the text of an error is read, and for how long after its status.
MAX_ERROR_BYTES = 2**16
ERROR_TEXT_TIMEOUT = 1.0
MAX_QUOTE_LENGTH = 200
# Most bytes of an answer: with whole messages, with one event of a stream (a wait finds a larger message in the list),
# and any other, which is 4,000 summaries.
MAX_MESSAGES_BYTES = 2**29
MAX_EVENT_BYTES = 2**25
MAX_LIST_BYTES = 2**22
# Those of 64 bits.
MAX_DIGITS = 20
# Most bytes of the head of an answer, and of its trailer.
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
# Kinds of attempts in a timeout's message, the length of each, and how long before a wait its mail may be sent.
MAX_KINDS = 4
MAX_KIND_LENGTH = 600
BEFORE_WAIT = 30.0
# A secret of a private inbox or of a run: 26 characters of 5 bits, 130 bits.
LONG_SECRET_LENGTH = 26
# How much of a run is reported in one request: the service takes 16 KiB by default, and 100 tests.
MAX_REPORT_BYTES = 14_000
MAX_REPORTED_AT_ONCE = 100
# How many tests wait to be reported; the oldest of more go unreported.
MAX_UNREPORTED = 1_000
# How long a report may take, how often one is tried, and how long it pauses before.
REPORT_TIMEOUT = 5.0
MAX_REPORT_TRIES = 4
MOST_REPORT_PAUSE = 5.0
# How long the end of a run waits for its reports, and a failed test for the one that its link shows.
LAST_REPORTS = 2.0
FAILED_REPORT = 0.5
# How much of a test is reported: inboxes, waits, characters of its title, and of its error and each wait, as long as
# the service keeps them, and shorter where that is too much.
MAX_REPORTED_INBOXES = 10
MAX_REPORTED_WAITS = 5
MAX_TITLE_LENGTH = 300
REPORTED_TEXT_LENGTHS = (2_000, 500, 100)
# How long a test's id is: enough that two tests of a run have never the same.
TEST_ID_LENGTH = 12
