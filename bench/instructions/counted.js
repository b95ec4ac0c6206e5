// The process to count: it parses every message until V8 has compiled the hot code, then one message `times` times.
import PostalMime from 'postal-mime';
import { ingest } from '../../packages/server/dist/inbox/threads/tasks.js';

const SUBJECTS = {
  arrival: (raw) =>
    ingest({
      raw,
      envelopeFrom: 'app@bench.test',
      generatedId: '<generated@bench.test>',
      recipientBytes: 'demo@bench.test'.length,
      recipients: null,
    }),
  'postal-mime': (raw) => PostalMime.parse(raw),
};

async function count({ subject, warmUp, mails, mail, times }) {
  const read = SUBJECTS[subject];
  const bytes = Object.fromEntries(Object.entries(mails).map(([name, text]) => [name, Buffer.from(text, 'base64')]));
  for (let n = 0; n < warmUp; n++) for (const raw of Object.values(bytes)) await read(raw);
  for (let n = 0; n < times; n++) await read(bytes[mail]);
}

count(JSON.parse(process.argv[2]));
