import { ifThere, type Reply, type Request, readerOf } from 'mayfly-inbox/plugin';
import type { Message } from 'mayfly-plugins-shared/all-inboxes';
import { type CompatApi, handOut } from 'mayfly-plugins-shared/compat-api';
import { idOf } from 'mayfly-plugins-shared/requests';
import { mailhogMessage } from './read-mailhog.js';

/** Maximum size of a message that is parsed on the event loop. A parser thread parses larger messages. */
const AT_ONCE_BYTES = 16 * 1024;
const SHARE = 8;

/** The JSON around the items. `end` is called last, because the number of items may change while they are sent. */
export interface Frame {
  readonly begin: string;
  end(count: number): string;
}

export async function* itemsOf(
  messages: readonly Message[],
  { begin, end }: Frame,
  request: Request,
  reply: Reply,
  shared: CompatApi,
): AsyncGenerator<Uint8Array> {
  const { inboxes, access, records, task, viewers } = shared;
  const [viewer, reader] = [viewers.viewerOf(request), readerOf(reply)];
  let count = 0;
  yield Buffer.from(begin);
  for (const [i, message] of messages.entries()) {
    if (i % SHARE === SHARE - 1) await records.turn();
    const shown = await inboxes.shown(message, viewer);
    if (shown === null) continue;
    const { head, email } = shown;
    handOut(shared, message, reader.client);
    const details = {
      id: idOf(email),
      envelopeFrom: head.envelopeFrom,
      recipients: head.recipients.map(({ to, written = to }) => written),
      receivedAt: new Date(email.receivedAt).toISOString(),
    };
    const record = head.size <= AT_ONCE_BYTES ? await inboxes.record(message) : null;
    const item = record?.isWhole
      ? Buffer.from(mailhogMessage(record.beginning, details))
      : await ifThere(access, inboxes.read(message, task('mailhogMessage', details), reader));
    if (item === null) continue;
    if (count > 0) yield COMMA;
    count += 1;
    yield item;
  }
  yield Buffer.from(end(count));
}

const COMMA = Buffer.from(',');
