import type { EmailParts, Mailbox } from 'mayfly-client';
import { ago, exact, left, sizeText } from '../ui/time.js';
import { Visible } from '../ui/visible.js';
import { useMail } from './answer.js';

/** Maximum number of people shown for a field. The header lists the others. */
const MAX_NAMED = 20;

/** Sender, recipients, date and size of the email on screen. */
export function MailFacts({ parts }: { parts: EmailParts | null }) {
  const { mail, gone, now, settings } = useMail();
  const { from, fromName, to, receivedAt, size } = mail;
  const recipient = { name: '', address: to };
  const fields: readonly (readonly [string, readonly Mailbox[]])[] = [
    ['From', parts?.from.length ? parts.from : [{ name: fromName, address: from }]],
    ['To', parts?.to.length ? parts.to : [recipient]],
    ['Cc', parts?.cc ?? []],
    ['Reply-To', parts?.replyTo ?? []],
  ];
  const isTo = ({ address }: Mailbox) => address.toLowerCase() === to.toLowerCase();
  // The header of a mailing list or a blind copy names another recipient.
  const isToOther = parts !== null && !fields.some(([, people]) => people.some(isTo));
  return (
    <dl class="mail-facts soft text-13 break">
      {fields.map(([name, people]) => people.length > 0 && <Fact key={name} name={name} people={people} />)}
      {isToOther && <Fact name="Received for" people={[recipient]} />}
      <div>
        <dt>Date</dt>
        <dd>
          <time dateTime={mail.key}>{exact(receivedAt)}</time>
          <span class="digits">
            {ago(now - receivedAt)}
            {gone === null && `, ${left(receivedAt + settings.retentionMs - now)}`}
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
          <Person key={position} person={person} />
        ))}
        {people.length > MAX_NAMED && <span class="hint">and {people.length - MAX_NAMED} more</span>}
      </dd>
    </div>
  );
}

function Person({ person: { name, address } }: { person: Mailbox }) {
  return (
    <span class="person">
      {name !== '' && (
        <>
          <strong>
            <Visible text={name} />
          </strong>{' '}
        </>
      )}
      {(name === '' || address !== '') && (
        <span class="person-address">
          <Visible text={address || 'No sender'} />
        </span>
      )}
    </span>
  );
}
