import { type Command, type Invocation, readingStore } from './command.js';

export const waitlist: Command = {
  usage: 'waitlist [OPTIONS]',
  summary: 'Lists the addresses on the waitlist.',
  description:
    'Lists the addresses on the waitlist with the time each joined, in the order in which they joined. ' +
    'The service may be running.',
  settings: ['store'],
  switches: { json: 'Prints a JSON array of objects with "email" and "joinedAt".' },
  maxOperands: 0,
  run: listWaitlist,
};

async function listWaitlist(invocation: Invocation): Promise<number> {
  const entries: { email: string; joinedAt: string }[] = [];
  await readingStore(invocation, 'list', async (store) => {
    for await (const { email, joinedAt } of store.waitlist()) {
      entries.push({ email, joinedAt: new Date(joinedAt).toISOString() });
    }
  });
  const lines = entries.map(({ email, joinedAt }) => `${joinedAt}  ${email}\n`);
  process.stdout.write(invocation.switches.has('json') ? `${JSON.stringify(entries, null, 2)}\n` : lines.join(''));
  return 0;
}
