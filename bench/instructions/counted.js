// The process whose instructions are counted: it reads each mail until V8 has compiled the hot code, and then one of
// them some times more. Its argument is JSON: `subject`, `warmUp`, `mails` (base64, by name), `mail` (a name)
// and `times`.

const SUBJECTS = {
  async arrival() {
    const { ingest } = await import('../../packages/server/dist/inbox/threads/tasks.js');
    const recipientBytes = 'demo@bench.test'.length;
    return (raw) =>
      ingest({
        raw,
        envelopeFrom: 'app@bench.test',
        generatedId: '<generated@bench.test>',
        recipientBytes,
        recipients: null,
      });
  },
  async 'postal-mime'() {
    const { default: PostalMime } = await import('postal-mime');
    return (raw) => PostalMime.parse(raw);
  },
};

const { subject, warmUp, mails, mail, times } = JSON.parse(process.argv[2]);
const read = await SUBJECTS[subject]();
const bytes = Object.fromEntries(Object.entries(mails).map(([name, text]) => [name, Buffer.from(text, 'base64')]));

for (let n = 0; n < warmUp; n++) for (const raw of Object.values(bytes)) await read(raw);
for (let n = 0; n < times; n++) await read(bytes[mail]);
