import type { EmailParts, Mailbox } from 'mayfly-client';
import { ago, exact, left, sizeText } from '../ui/time.js';
import { Visible } from '../ui/visible.js';
import type { Mail } from './mail.js';

interface MailFactsProps {
  readonly mail: Mail;
  /** Null until they have come. */
  readonly parts: EmailParts | null;
  /** The server's time. */
  readonly now: number;
  readonly retentionMs: number;
  readonly isGone: boolean;
}

/** So many people of one field are named; the header has the others. */
const MAX_NAMED = 20;

/** Who wrote to whom, when, and how much. */
export function MailFacts({ mail, parts, now, retentionMs, isGone }: MailFactsProps) {
  const { from, fromName, to, receivedAt, size } = mail;
  const sender = { name: fromName, address: from };
  const fields: readonly (readonly [string, readonly Mailbox[]])[] = [
    ['From', parts?.from.length ? parts.from : [sender]],
    ['To', parts?.to.length ? parts.to : [{ name: '', address: to }]],
    ['Cc', parts?.cc ?? []],
    ['Reply-To', parts?.replyTo ?? []],
  ];
  // Mail of lists, and blind copies, name another recipient.
  const isToOther = parts !== null && !fields.some(([, people]) => people.some(({ address }) => isSame(address, to)));
  return (
    <dl class="mail-facts">
      {fields.map(([name, people]) => people.length > 0 && <Fact key={name} name={name} people={people} />)}
      {isToOther && <Fact name="Received for" people={[{ name: '', address: to }]} />}
      <div>
        <dt>Date</dt>
        <dd>
          <time dateTime={mail.key}>{exact(receivedAt)}</time>
          <span class="mail-age">
            {ago(now - receivedAt)}
            {!isGone && `, ${left(receivedAt + retentionMs - now)}`}
          </span>
        </dd>
      </div>
      <div>
        <dt>Size</dt>
        <dd>{sizeText(size)}</dd>
      </div>
    </dl>
  );
}

function Fact({ name, people }: { name: string; people: readonly Mailbox[] }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {people.slice(0, MAX_NAMED).map((person, position) => (
          <span class="person" key={position}>
            <Person person={person} />
          </span>
        ))}
        {people.length > MAX_NAMED && <span class="hint">and {people.length - MAX_NAMED} more</span>}
      </dd>
    </div>
  );
}

function Person({ person: { name, address } }: { person: Mailbox }) {
  if (name === '') return <Visible text={address || 'No sender'} />;
  return (
    <>
      <strong>
        <Visible text={name} />
      </strong>{' '}
      {address !== '' && (
        <span class="person-address">
          <Visible text={address} />
        </span>
      )}
    </>
  );
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
