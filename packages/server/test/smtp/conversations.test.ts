import { test } from 'vitest';
import { selfSigned } from '../../src/tls/certificate.js';
import { type Conversation, conversations, play, type Step } from './conversation.js';

const tls = await selfSigned('inbox.example.com');

for (const conversation of conversations()) {
  const { file, title, mayBeCut } = conversation;
  test(`${file}: ${title}`, async () => {
    await play(conversation, tls, (packet) => [packet]);
  });
  if (!mayBeCut) continue;
  test(`${file}: the replies are as expected if each byte arrives separately`, async () => {
    await play(conversation, tls, (packet) => Array.from(packet, (byte) => Buffer.of(byte)));
  });
  if (conversation.steps.some(({ kind }) => kind === 'TLS')) continue;
  test(`${file}: the replies are as expected if all commands arrive in one packet`, async () => {
    await play({ ...conversation, steps: joined(conversation) }, tls, (packet) => [packet]);
  });
}

/** Moves all lines of the client, as one packet, before all replies; only a greeting by the server stays first. */
function joined({ steps }: Conversation): Step[] {
  const greeted = steps[0]?.kind === 'S:' ? 1 : 0;
  const rest = steps.slice(greeted);
  const of = (...kinds: string[]) => rest.filter(({ kind }) => kinds.includes(kind));
  return [...steps.slice(0, greeted), ...of('C:', 'C|'), ...of('S:', 'CLOSED'), ...of('M:', 'M|', 'M=', 'M@')];
}
