// Figures that documents repeat, each as the text that the document must hold, made from the constant or the default
// that it stands for. `s` gives a setting's default as the operator would write it, `c` a constant by its file and
// name. `tools/check-drift.js` compares.

const DECISIONS = 'docs/decisions.md';
const INTERFACE = 'docs/interface.md';
const EXTRACTION = 'docs/extraction.md';
const README = 'README.md';

const INSPECTOR = 'packages/server/src/inbox/threads/inspector.ts';
const QUEUE = 'packages/server/src/fairness/semaphore.ts';
const READER = 'packages/server/src/http/connection/unread-answers.ts';
const LARGE = 'packages/server/src/http/answer/large-answers.ts';
const HELD = 'packages/server/src/fairness/client-memory.ts';
const WAITING = 'packages/server/src/inbox/wait/waiting.ts';
const BOOK = 'packages/server/src/attempts/book.ts';
const ATTEMPT = 'packages/server/src/attempts/attempt.ts';
const RUNS = 'packages/server/src/runs/run-book.ts';
const NUMBERS = 'packages/mail/src/extract/code/numbers.ts';

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

const number = (value) => Number(value).toLocaleString('en-US');
const word = (value) => WORDS[value] ?? number(value);
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const seconds = (ms) => number(ms / 1_000);
const KiB = (bytes) => `${number(bytes / 1024)} KiB`;
const MiB = (bytes) => `${number(bytes / 1024 / 1024)} MiB`;

/** `10MiB` as `10 MiB`. */
const size = (text) => text.replace(/^\d+/, (digits) => `${number(digits)} `);
/** What `20/10s` allows, and in which time. */
const count = (rate) => number(rate.split('/')[0]);
const per = (rate) => rate.split('/')[1].replace(/^\d+/, (digits) => `${digits} `);
const rate = (text) => `${count(text)} in ${per(text)}`;
const rateWords = (text) => `${count(text)} in ${per(text).replace(/s$/, 'seconds')}`;

/** For each document: the texts that it must hold. */
export const FIGURES = {
  [DECISIONS]: [
    ({ c }) => `each attempt to send mail for ${c(BOOK, 'REMEMBERED_MS') / 60_000} minutes, in memory`,
    ({ c }) =>
      `${number(c(BOOK, 'MAX_ATTEMPTS'))} attempts and ${MiB(c(BOOK, 'MAX_BYTES'))} in all, estimated. The first ${c(ATTEMPT, 'MAX_RECIPIENTS')} recipients`,
    ({ c }) =>
      `${number(c(RUNS, 'MAX_RUNS'))} runs and ${MiB(c(RUNS, 'MAX_BYTES'))} in all, estimated; ${number(c(RUNS, 'MAX_TESTS'))} tests and ${MiB(c(RUNS, 'MAX_RUN_BYTES'))} of one run`,
    ({ c }) => `it has ${MiB(c('packages/server/src/commands/run-file.ts', 'MAX_FILE_BYTES'))} at most`,
    ({ s }) => `| size of a message | ${size(s('max-message'))} |`,
    ({ s }) => `| recipients of a message | ${number(s('max-recipients'))} |`,
    ({ s }) => `| emails of an inbox | ${number(s('max-emails'))} |`,
    ({ s }) => `| all mail in the store | ${size(s('store-budget'))} |`,
    ({ s, c }) =>
      `| messages that are being received | ${size(s('max-in-flight'))} together with what is held over HTTP (D49); a quarter is kept for small messages (up to ${KiB(c('packages/server/src/fairness/client-memory.ts', 'MAX_SMALL_BYTES'))})`,
    ({ s }) =>
      `| SMTP connections | ${number(s('smtp-connections'))} for one address, ${number(s('smtp-connections-total'))} in all; ${s('smtp-connections') / 8} for one address once half`,
    ({ s }) => `| mails of one address | ${count(s('smtp-limit'))} a minute |`,
    ({ s }) =>
      `| silence on an SMTP connection; length of DATA | ${s('smtp-idle').replace('s', ' s')}; ${s('smtp-data-time').replace('m', ' minutes')} |`,
    ({ s }) => `at least ${size(s('smtp-data-speed').split('/')[0])} |`,
    ({ s }) => `| waitlist posts of one address | ${count(s('waitlist-limit'))} a minute |`,
    ({ s }) =>
      `| open streams | ${number(s('streams-per-client'))} for one address, ${number(s('streams'))} in all; ${s('streams-per-client') / 10} for one address once half of all are open |`,
    ({ s }) => `| streams that one address opens | ${rate(s('stream-limit'))} |`,
    ({ s }) => `| looks of one address (D26) | ${rate(s('look-limit'))} |`,
    ({ s }) => `a limit of its own, ${rate(s('look-limit'))} by default`,
    ({ s }) =>
      `| ${count(s('name-limit'))} at once, and as many more, evenly, in ${per(s('name-limit')).replace(/m$/, 'minutes')} |`,
    ({ s }) => `| wrong keys of one address | ${rate(s('wrong-key-limit'))} |`,
    ({ c }) =>
      `| lines of headers in an HTTP request | ${c('packages/server/src/http/connection/http-server.ts', 'MAX_HEADER_LINES')} |`,
    ({ c }) =>
      `| ${MiB(c(HELD, 'HELD_BOUNDS.perClient'))} of one address; ${MiB(c(HELD, 'HELD_BOUNDS.total'))} in all, or less while mail takes it (D49) |`,
    ({ c }) =>
      `has one budget, ${MiB(c(HELD, 'HELD_BOUNDS.total'))}, of which one client may have ${c(HELD, 'HELD_BOUNDS.perClient') / 1024 / 1024}:`,
    ({ c }) =>
      `| an HTTP connection on which nothing goes on | ${seconds(c('packages/server/src/http/connection/http-server.ts', 'STALLED_CONNECTION_MS'))} s;`,
    ({ c }) => {
      const bounds = (key) => word(c('packages/server/src/extension/request-bodies.ts', `SMALL_AT_ONCE.${key}`));
      return `| ${bounds('perClient')} of one address and ${bounds('total')} in all are composed at a time`;
    },
    ({ c }) => `| ${number(c('packages/server/src/base/listen-address.ts', 'BACKLOG'))}, or what the system allows |`,
    ({ c }) =>
      `| time to read an answer | ${seconds(c(READER, 'READ_MS'))} s, and a second more for each ${KiB(c(HELD, 'LEAST_BYTES_PER_SECOND'))}`,
    ({ s, c }) =>
      `the sum of ${s('http-connections')} and of the streams it may have, ${Number(s('http-connections')) + s('streams-per-client') / 10} once half of all are open; in all ${number(c('packages/server/src/http/http.ts', 'SPARE_CONNECTIONS'))} more`,
    ({ c }) =>
      `(D40) | ${c(INSPECTOR, 'INSPECTIONS.perClient')} for one address, ${c(INSPECTOR, 'INSPECTIONS.total')} in all |`,
    ({ c }) =>
      `| requests that wait for that | ${c(QUEUE, 'MAX_WAITING_PER_CLIENT')} of one address, ${number(c(QUEUE, 'MAX_WAITING'))} in all; ${word(c(QUEUE, 'MAX_WAIT_MS') / 1_000)} seconds |`,
    ({ c }) =>
      `Up to ${c(QUEUE, 'MAX_WAITING_PER_CLIENT')} requests of one client wait, and ${number(c(QUEUE, 'MAX_WAITING'))} in all; beyond that, and after ${word(c(QUEUE, 'MAX_WAIT_MS') / 1_000)} seconds,`,
    ({ c }) =>
      `${capital(word(c(INSPECTOR, 'INSPECTIONS.total')))} messages are parsed at a time, ${word(c(INSPECTOR, 'INSPECTIONS.perClient'))} of them for one client`,
    ({ c }) => `A client for which ${MiB(c(HELD, 'HELD_BOUNDS.perClient'))} are held has no turn`,
    ({ c }) =>
      `An answer has ${seconds(c(READER, 'READ_MS'))} seconds to be read, and one more for each ${KiB(c(HELD, 'LEAST_BYTES_PER_SECOND'))};`,
    ({ c }) => `${c(LARGE, 'BOUNDS.perClient')} at a time for one client and ${c(LARGE, 'BOUNDS.total')} in all`,
    ({ c }) =>
      `| answers that are sent in pieces (D40) | ${c(LARGE, 'BOUNDS.perClient')} for one address, ${c(LARGE, 'BOUNDS.total')} in all |`,
    ({ s }) => `| requests to the interface of another mail catcher (D42) | ${rate(s('drop-in-limit'))} |`,
    ({ s }) => `| fetches of one workspace | ${rate(s('workspace-limit'))} |`,
    ({ s }) =>
      `| headers; a whole request; its body | ${s('http-header-time').replace('s', ' s')}; ${s('http-request-time').replace('s', ' s')}; ${size(s('http-max-body'))} |`,
    ({ c }) =>
      `A process has ${c('packages/client/src/wait/bounds.ts', 'ASKED_AT_ONCE')} requests to a service on their way at once, and opens ${c('packages/client/src/wait/bounds.ts', 'OPENED_AT_ONCE')} streams at once`,
    ({ c }) => `1 to ${c('packages/protocol/src/inbox-name.ts', 'MAX_NAME_LENGTH')} characters from`,
    ({ c }) =>
      `${number(c('packages/mail/src/read-mail.ts', 'MAX_BODY_CHARS'))} characters at most, and never half a surrogate pair`,
  ],
  [INTERFACE]: [
    ({ s }) => `Mail disappears by itself after ${s('retention').replace('m', ' minutes')}.`,
    ({ s }) => `| retention | ${s('retention').replace('m', ' minutes')} |`,
    ({ s }) => `| requests, free tier | ${rateWords(s('fetch-limit'))} for each IP address |`,
    ({ c }) => `| duration of a stream | ${seconds(c(WAITING, 'WAIT_MS'))} seconds |`,
    ({ c }) => `The stream closes after the first email, or after ${seconds(c(WAITING, 'WAIT_MS'))} s.`,
    ({ c }) =>
      `| heartbeat | every ${seconds(c('packages/server/src/http/answer/event-stream.ts', 'KEEPALIVE_MS'))} seconds |`,
    ({ c }) =>
      `| length of the text | the first ${number(c('packages/mail/src/read-mail.ts', 'MAX_BODY_CHARS'))} characters |`,
    ({ c }) => `| length of the code | ${c(NUMBERS, 'MIN_DIGITS')} to ${c(NUMBERS, 'MAX_DIGITS')} digits |`,
    ({ c }) =>
      `no more than its first ${number(c('packages/mail/src/read-mail.ts', 'MAX_BODY_CHARS'))} characters (D5)`,
    ({ c }) => `a code of ${c(NUMBERS, 'MIN_DIGITS')} to ${c(NUMBERS, 'MAX_DIGITS')} digits, found`,
    ({ s }) => `| an email | stored | ${s('retention').replace('m', ' minutes')} are over |`,
    ({ s }) => `When the ${s('retention').replace('m', ' minutes')} begin`,
    ({ c }) => `| a stream | open | ${seconds(c(WAITING, 'WAIT_MS'))} seconds went by without one |`,
    ({ c }) =>
      `| none came within ${seconds(c(WAITING, 'WAIT_MS'))} s | after ${seconds(c(WAITING, 'WAIT_MS'))} s, and then`,
    ({ c }) =>
      `keeps proxies from closing the connection | every ${seconds(c('packages/server/src/http/answer/event-stream.ts', 'KEEPALIVE_MS'))} s |`,
  ],
  [EXTRACTION]: [
    ({ c }) => `A candidate is a run of ${c(NUMBERS, 'MIN_DIGITS')} to ${c(NUMBERS, 'MAX_DIGITS')} digits`,
    ({ c }) =>
      `The best candidate wins if it has ${c('packages/mail/src/extract/code/code-rules.ts', 'CODE_THRESHOLD')} points.`,
    ({ c }) =>
      `The best one wins if it has ${c('packages/mail/src/extract/link/link-rules.ts', 'LINK_THRESHOLD')} points.`,
    ({ c }) =>
      `up to ${c('packages/mail/src/html/read-page.ts', 'MAX_HTML_CHARS') / 1024} Ki characters of HTML and ${c('packages/mail/src/extract/text/passages.ts', 'MAX_TEXT_CHARS') / 1024} Ki characters of text are read`,
    ({ languages }) => `The words are those of ${languages} languages`,
    ({ languages }) => `that is not among the ${languages} |`,
  ],
  [README]: [
    ({ s }) => `mail is deleted after ${s('retention').replace('m', ' minutes')}`,
    ({ s }) => `\`127.0.0.1:${s('smtp-port')}\` and HTTP on \`http://127.0.0.1:${s('http-port')}\``,
    ({ s }) => `At most ${rateWords(s('fetch-limit')).replace(' ', ' requests ')} per client address.`,
    ({ c }) => `or waits up to ${seconds(c(WAITING, 'WAIT_MS'))} seconds for the next one`,
  ],
};
