// All that benchmarks use of the service's inside. Everything else goes through its settings, SMTP and HTTP.
import { compose } from '../server/dist/inbox/threads/compose.js';

export { readMail } from '../server/dist/mail/read-mail.js';

/** Does what is done once with a message when it arrives: reads it, extracts, and makes what is stored of it. */
export function readAtArrival(raw) {
  return compose({ raw, envelopeFrom: 'app@bench.test', generatedId: '<generated@bench.test>' });
}
