import { test } from 'vitest';
import { selfSigned } from '../../src/tls/certificate.js';
import { type Conversation, conversations, play, type Step } from './conversation.js';

/**
 * Packets are cut in two at each of so many places; a longer one goes on with more of the same, and a byte at a time it is cut
 * everywhere. `npm run fuzz:smtp` cuts at three times as many.
 */
const CUTS = Number(process.env.CUTS ?? 150);

/** How long all the plays of one conversation may take, in milliseconds: one takes some 20, and on a busy machine ten times as long. */
const CUTS_MS = 60_000 + 400 * CUTS;

/** So many plays run at a time. */
const AT_ONCE = 16;

const tls = await selfSigned('inbox.example.com');

for (const conversation of conversations()) {
  const { file, title, mayBeCut } = conversation;
  test(`${file}: ${title}`, async () => {
    await play(conversation, tls, (packet) => [packet]);
  });
  if (!mayBeCut) continue;
  test(`${file}, a byte at a time`, async () => {
    await play(conversation, tls, (packet) => Array.from(packet, (byte) => Buffer.of(byte)));
  });
  test(
    `${file}, each packet cut in two, wherever`,
    async () => {
      let longest = 2;
      const cutAt = (place: number) =>
        play(conversation, tls, (packet) => {
          longest = Math.max(longest, Math.min(packet.length, CUTS));
          return [packet.subarray(0, place), packet.subarray(place)];
        });
      await cutAt(1);
      for (let place = 2; place < longest; place += AT_ONCE) {
        await Promise.all(Array.from({ length: Math.min(AT_ONCE, longest - place) }, (_, n) => cutAt(place + n)));
      }
    },
    CUTS_MS,
  );
  if (conversation.steps.some(({ kind }) => kind === 'TLS')) continue;
  test(`${file}, all in one packet`, async () => {
    await play({ ...conversation, steps: joined(conversation) }, tls, (packet) => [packet]);
  });
}

/** The same with all that the client sends in one packet, after the greeting where that comes first. */
function joined({ steps }: Conversation): Step[] {
  const greeted = steps[0]?.kind === 'S:' ? 1 : 0;
  const rest = steps.slice(greeted);
  const of = (...kinds: string[]) => rest.filter(({ kind }) => kinds.includes(kind));
  return [...steps.slice(0, greeted), ...of('C:', 'C|'), ...of('S:', 'CLOSED'), ...of('M:', 'M|', 'M=', 'M@')];
}
