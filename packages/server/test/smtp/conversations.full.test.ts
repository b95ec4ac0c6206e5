import { test } from 'vitest';
import { selfSigned } from '../../src/tls/certificate.js';
import { conversations, play } from './conversation.js';

/** Number of places at which packets are cut in two; `npm run fuzz:smtp` cuts at three times as many. */
const CUTS = Number(process.env.CUTS ?? 150);

/** Time limit for all plays of one conversation. One play takes 20 ms, or 200 ms on a busy machine. */
const CUTS_MS = 60_000 + 400 * CUTS;

/** Number of conversations that run at the same time. */
const AT_ONCE = 16;

const tls = await selfSigned('inbox.example.com');

for (const conversation of conversations().filter(({ mayBeCut }) => mayBeCut)) {
  test(
    `${conversation.file}: the replies are as expected if packets are cut in two at any place`,
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
}
