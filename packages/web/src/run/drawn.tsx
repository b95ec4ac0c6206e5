import type { Fold, Part, RunEmail } from 'mayfly-protocol/run-report';
import { type ComponentChild, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Mail, mailOf, placeOf } from '../inbox/mail.js';
import { MailRow } from '../inbox/mail-row.js';
import { inboxNamed } from '../service.js';
import { Visible, writtenOut } from '../ui/visible.js';

/** In a longer text, an element for each invisible character could freeze the browser. */
const MAX_VISIBLE_LENGTH = 1_000;

/** What the parts of a report need to know of the page. */
export interface Drawing {
  /** The words of the search. */
  readonly words: readonly string[];
  /** The server's time in milliseconds since the epoch. */
  readonly now: number;
  readonly retentionMs: number;
  /** The test and the key of the email on screen, as in the URL's fragment. */
  readonly shown: string;
  /** The keys of deleted emails. */
  readonly hidden: ReadonlySet<string>;
  /** Opens an email of a test, or only the test. */
  choose(test: string, key: string | null): void;
}

export function drawn(parts: readonly Part[], drawing: Drawing): ComponentChild[] {
  return parts.map((part, at) => drawnPart(part, at, drawing));
}

function drawnPart(part: Part, key: number, drawing: Drawing): ComponentChild {
  if (typeof part === 'string') {
    if (part.length > MAX_VISIBLE_LENGTH) return <bdi>{writtenOut(part)}</bdi>;
    return part === '' ? null : <Visible key={key} text={part} words={drawing.words} />;
  }
  if ('email' in part) return <EmailRow key={part.email.receivedAt} part={part} drawing={drawing} />;
  if ('summary' in part) return <Folded key={part.key} fold={part} drawing={drawing} />;
  return h(part.tag, { key, ...part.attributes }, drawn(part.parts, drawing));
}

function Folded({ fold, drawing }: { fold: Fold; drawing: Drawing }) {
  const { attributes, isOpen: mustOpen, summary, test } = fold;
  const [isOpen, setOpen] = useState(mustOpen);
  useEffect(() => {
    if (mustOpen) setOpen(true);
  }, [mustOpen]);
  const toggle = ({ currentTarget: { open } }: { currentTarget: HTMLDetailsElement }) => {
    // Only the user changes the element before the state.
    if (open && !isOpen && test !== undefined) drawing.choose(test, null);
    setOpen(open);
  };
  return (
    <details {...attributes} open={isOpen} onToggle={toggle}>
      <summary>{drawn(summary, drawing)}</summary>
      {isOpen && drawn(fold.content(), drawing)}
    </details>
  );
}

/** An email of a run as in the list of all mail; null if its inbox has no valid name. */
export function mailIn({ email, to }: Pick<RunEmail, 'email' | 'to'>): Mail | null {
  try {
    return { ...mailOf(email), key: `${email.receivedAt}/${inboxNamed(to)}` };
  } catch {
    return null;
  }
}

function EmailRow({ part, drawing }: { part: RunEmail; drawing: Drawing }) {
  const { words, now, retentionMs, shown, hidden, choose } = drawing;
  const mail = mailIn(part);
  if (mail === null || hidden.has(mail.key)) return null;
  return (
    <li>
      <div class="row">
        <MailRow
          inbox={placeOf(mail.key, '').inbox}
          tabIndex={0}
          hasRecipient={false}
          isShown={`${part.attempt.id}/${mail.key}` === shown}
          onOpen={() => choose(part.attempt.id, mail.key)}
          {...{ mail, words, now, retentionMs }}
        />
      </div>
      {part.late !== '' && <p class="run-late text-13">{part.late}</p>}
    </li>
  );
}
