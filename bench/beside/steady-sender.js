// The process of the other clients: sends `perSecond` mails a second, each over its own connection. Its argument is
// `{ service, perSecond }`; it says `begun` and, when it stops, the `{ rate }` of accepted mails.
import { htmlMail } from '../sample-mails.js';
import { deliver } from '../smtp.js';

/** How many may be open at once (beyond that the rate shows it), how often it is looked, and to how many inboxes. */
const [MAX_OPEN, EVERY_MS, INBOXES] = [100, 5, 500];

process.on('disconnect', () => process.exit());
const { service, perSecond } = JSON.parse(process.argv[2]);
const mail = await htmlMail();
const startedAt = performance.now();
let begun = 0;
let accepted = 0;
let open = 0;

setInterval(() => {
  const due = ((performance.now() - startedAt) * perSecond) / 1000;
  for (; begun < due; begun++) if (open < MAX_OPEN) send(begun);
}, EVERY_MS);

/** Refused mails do not count. */
async function send(number) {
  open += 1;
  const sent = deliver(service, mail, [`steady-${number % INBOXES}@inbox.example.com`]);
  accepted += await sent.then(
    () => 1,
    () => 0,
  );
  open -= 1;
}

process.on('message', () => {
  process.send({ rate: (accepted * 1000) / (performance.now() - startedAt) }, () => process.exit());
});
process.send('begun');
