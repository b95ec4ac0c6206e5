// The door of each part of packages/server/src: the files that other parts may import, each with what it is for.
// `tools/check-imports.js` refuses an import past the door, and a row that no other part needs; CONTRIBUTING.md shows
// this table. A part that is one file has no row. Paths begin below packages/server/src.

/** For each part: its door. */
export const DOORS = {
  commands: {
    'commands/command.ts': 'how a command of the service reads its arguments, and the settings as help shows them',
    'commands/doctor.ts': 'mayfly doctor',
    'commands/export.ts': 'mayfly export',
    'commands/extract.ts': 'mayfly extract',
    'commands/healthy.ts': 'mayfly healthy',
    'commands/mcp.ts': 'mayfly mcp',
    'commands/serve.ts': 'mayfly serve',
    'commands/waitlist.ts': 'mayfly waitlist',
  },
  doctor: {
    'doctor/examine.ts': 'looks at all that a service needs',
    'doctor/finding.ts': 'the shape of what was found',
    'doctor/check-ports.ts': 'why a port cannot be listened on',
  },
  extension: {
    'extension/extension.ts': 'what an extension is, what it is given, and what its routes answer with',
    'extension/mail.ts': 'what an extension reads and composes mail with',
  },
  http: {
    'http/http.ts':
      'starts HTTP, and has what metrics counts and refuses with and what the routes of extensions answer with',
  },
  smtp: {
    'smtp/smtp-listener.ts': 'starts SMTP, and what it reports to metrics',
  },
  metrics: {
    'metrics/metrics-listener.ts': 'serves the figures',
    'metrics/metrics.ts': 'counts what the other parts report',
  },
  rehearsals: {
    'rehearsals/rehearsals.ts': 'the way in where names may ask for failures',
  },
  inbox: {
    'inbox/addressing.ts': 'which inbox an address means',
    'inbox/all/all-inboxes.ts': 'the mail of all inboxes, for extensions',
    'inbox/all/all-mail.ts': 'the same and its list, opened when they are first asked for',
    'inbox/inboxes.ts': 'delivers, reads, waits, deletes; the shapes that go in and out, and what metrics hears',
    'inbox/purging.ts': 'deletes expired mail',
    'inbox/read/read.ts': 'the messages of an inbox, for export',
    'inbox/spaces/space.ts': 'which space a pair is, and what it is called in the store',
    'inbox/spaces/space-accounts.ts': 'what each space has stored',
    'inbox/threads/reading-threads.ts': 'the threads that read mail',
  },
  attempts: {
    'attempts/book.ts': 'remembers attempts to send mail',
    'attempts/shown-attempts.ts': 'attempts as they travel',
  },
  runs: {
    'runs/run-book.ts': 'remembers what was reported of runs of tests',
  },
  mail: {
    'mail/check/check-mail.ts': 'what email clients make of a message',
    'mail/contents.ts': 'what a message holds, and its beginning',
    'mail/extract/explain.ts': 'why a code and a link were chosen',
    'mail/extract/listing.ts': 'all codes and links of a message',
    'mail/html/read-page.ts': 'the text and the links of HTML',
    'mail/mime/encoded-words.ts': 'the words of a header',
    'mail/message-head.ts': 'the fields of a message that name people',
    'mail/message-reading.ts': 'the shape of a message that was read',
    'mail/mime/byte-string.ts': 'bytes as a text of one character each',
    'mail/mime/header-list.ts': 'lists the fields of a header',
    'mail/mime/line-ends.ts': 'tells where lines end, and gives bodies with the ends that they were sent with',
    'mail/mime/parse.ts': 'takes a message apart',
    'mail/mime/part-list.ts': 'lists the parts of a message, and finds one',
    'mail/mime/portions.ts': 'decodes a part in pieces',
    'mail/mime/sender.ts': 'reads the addresses of a field',
    'mail/mime/structured-field.ts': 'reads a field with parameters',
    'mail/preview-document.ts': 'the HTML of a mail, made harmless, with its own images',
    'mail/read-mail.ts': 'all that the bytes of a message say',
    'mail/text.ts': 'cuts a text to a length',
  },
  store: {
    'store/open-store.ts': 'opens the store that a URL names',
    'store/store.ts': 'the seam: what every store keeps and answers',
  },
  limits: {
    'limits/client-address.ts': 'who counts as one client',
    'limits/rate-limiter.ts': 'the shape of a limit by rate',
    'limits/limits.ts': 'every limit of a service, and what a store must count for those of several nodes',
    'limits/shared/shared-limits.ts': 'limits of several nodes',
    'limits/window-counter.ts': 'counts uses by a rate of their own',
    'limits/tried-names.ts': 'bounds how many names a client may guess',
  },
  settings: {
    'settings/configured-store.ts': 'opens the store that the settings name',
    'settings/kinds.ts': 'the kinds of values',
    'settings/ports.ts': 'the ports that the settings ask for',
    'settings/reading.ts': 'reads flags and environment',
    'settings/send-apis.ts': 'whose send APIs are served, and what applications set for them',
    'settings/start-options.ts': 'reads the options of startMayfly',
    'settings/system-errors.ts': "says an error of the system in the operator's words",
    'settings/table.ts': 'every setting, once',
  },
  fairness: {
    'fairness/event-loop.ts': 'what a turn of the event loop is spent on',
    'fairness/fair-queue.ts': 'a queue for each client; who used least is next',
    'fairness/semaphore.ts': 'a bounded number at once: in order, or in turns by client',
    'fairness/client-memory.ts': 'the bytes of mail that comes in and of what is held for clients, in one account',
    'fairness/quota.ts': 'how much one client, and all, may hold',
  },
  tls: {
    'tls/certificate-files.ts': 'reads the certificate, and takes up a renewed one',
    'tls/certificate.ts': 'what is known of a certificate',
  },
  base: {
    'base/bounded-map.ts': 'a map that forgets its oldest values',
    'base/clock.ts': 'time as an argument',
    'base/closing.ts': 'closes what was opened, in reverse',
    'base/counted-lines.ts': 'lines of the log that clients can bring about, counted',
    'base/listen-address.ts': 'addresses to listen on',
    'base/log.ts': 'the log',
    'base/make-folder.ts': 'makes a folder that only its owner reads',
    'base/maybe-promise.ts': 'an answer that is there, or will be, and a sequence begun already',
    'base/timetable.ts': 'wakes many waiters with few timers',
    'errors.ts': 'every error that a caller sees',
    'manifest.ts': 'version, and the Node that is needed',
  },
};
