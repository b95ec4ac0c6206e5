// Sends `perSecond` messages a second to `service`, each over a new connection. Reports `begun` to the parent process,
// and finally the `{ rate }` of accepted messages.
import { htmlMail } from '../sample-mails.js';
import { deliver } from '../smtp.js';

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
