import { bytesOfBase64, type Letter, type Person } from 'mayfly-plugins-shared/compose-letter';
import { mailboxesIn, mailboxIn } from 'mayfly-plugins-shared/sending/mailboxes';
import {
  type Order,
  type RawOrder,
  rawOrder,
  type TemplateUse,
  type Translator,
} from 'mayfly-plugins-shared/sending/order';
import { refuse } from 'mayfly-plugins-shared/sending/problem';

/** Creates IDs in the format of SES, with the domain of its Message-IDs. */
export const sesId: Translator['idOf'] = (uuid) => {
  const id = `0100${uuid.slice(0, 8)}${uuid.slice(9, 13)}-${uuid}-000000`;
  return { id, messageId: `<${id}@email.amazonses.com>` };
};

type Envelope = { readonly from: string } & Readonly<Record<'to' | 'cc' | 'bcc' | 'replyTo', readonly string[]>>;

export interface SesContents extends Pick<Letter, 'subject' | 'text' | 'html' | 'headers' | 'attachments'> {
  readonly template: TemplateUse | null;
}

export function sesOrder({ from, to, cc, bcc, replyTo, template, ...rest }: Envelope & SesContents): Order {
  if (from === '') refuse('missing', { field: 'FromEmailAddress' });
  if (to.length + cc.length + bcc.length === 0) refuse('missing', { field: 'Destination' });
  return {
    letter: {
      ...rest,
      from: mailboxIn(from) ?? refuse('sender', { address: from }),
      to: people(to),
      cc: people(cc),
      bcc: people(bcc),
      replyTo: people(replyTo),
    },
    template,
    notes: [],
  };
}

function people(addresses: readonly string[]): readonly Person[] {
  return addresses.flatMap((text) => {
    const found = mailboxesIn(text);
    return found !== null && found.length > 0 ? found : refuse('recipient', { address: text });
  });
}

/** Decodes a base64 message in the form field `field`. Without `to`, the recipients are those in its header. */
export function sesRaw(data: string, field: string, from: string, to: readonly string[]): RawOrder {
  const message = bytesOfBase64(data) ?? refuse('attachment', { field });
  const addresses = (texts: readonly string[]) => people(texts).map(({ address }) => address);
  return rawOrder(message, (from === '' ? [] : addresses([from]))[0] ?? '', addresses(to));
}

/** docs.aws.amazon.com/ses/latest/dg/quotas.html: destinations of a bulk request. */
const MAX_BULK = 50;

export function checkBulk(entries: number): void {
  if (entries > MAX_BULK) refuse('too-many-mails', { detail: String(MAX_BULK) });
}
