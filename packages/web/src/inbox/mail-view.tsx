import type { EmailParts, Mailbox } from 'mayfly-client';
import { type ComponentChild, type ComponentChildren, Fragment } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { pagePath } from '../service.js';
import { useKnown } from '../settings.js';
import { Button, CopyButton } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import type { Marked } from '../ui/source-text.js';
import { Tabs } from '../ui/tabs.js';
import { ago, exact, left, sizeText } from '../ui/time.js';
import { type Entry, More } from '../ui/toolbar.js';
import { directionOf, Line, Visible, writtenOut } from '../ui/visible.js';
import { Unanswered, useAnswer, useMail } from './answer.js';
import { Attachments } from './attachments.js';
import { CheckBadge, CheckPanel, useCheck } from './check.js';
import { ExplanationPanel } from './explanation.js';
import { useIsPhone } from './focus.js';
import { Found, LinksPanel } from './found.js';
import { isText, senderOf, subjectOf } from './mail.js';
import { MailActions, Uses } from './mail-actions.js';
import { GoneNotice } from './notices.js';
import { REST_MS } from './pace.js';
import { Preview, useView } from './preview.js';
import { HeaderPanel, SourcePanel, TextPanel, Written } from './source.js';

/**
 * The email on screen, with its code and its link at the top. Each part has the key of the email, except the preview,
 * which shows the previous email until the next one has loaded.
 */
export function MailView() {
  const { inbox, pace, mail, gone, onParts } = useMail();
  const isPhone = useIsPhone();
  const [view, change] = useView();
  const article = useRef<HTMLElement>(null);
  const id = `${mail.key} ${inbox}`;
  const held = useAnswer(async (api, signal) => {
    await pace.turn(signal, REST_MS);
    const parts = await api.parts(mail.key, signal);
    onParts(parts);
    return parts;
  });
  const { value: parts, error } = held;
  const check = useCheck(parts, view.tab === 'check' && !isText(mail));
  const [mark, setMark] = useState<{ readonly of: string; readonly marked: Marked } | null>(null);
  const onMark = (marked: Marked) => {
    setMark({ of: id, marked });
    change({ tab: 'html' });
  };
  useLayoutEffect(() => article.current?.scrollTo(0, 0), [id]);
  const own = (panel: ComponentChild) => <Fragment key={id}>{panel}</Fragment>;
  const whole = (panel: (parts: EmailParts) => ComponentChild) =>
    own(parts === null ? <Unanswered answer={held} /> : panel(parts));
  const shared = {
    Text: whole((parts) => <TextPanel parts={parts} />),
    Links: whole((parts) => <LinksPanel parts={parts} />),
    Headers: whole((parts) => <HeaderPanel parts={parts} />),
    HTML: whole((parts) => (
      <Written parts={parts} field="html" label="HTML" marked={mark?.of === id ? mark.marked : null} />
    )),
  };
  const all = {
    Preview: <Preview {...{ parts, view, change }} />,
    ...shared,
    Source: own(<SourcePanel />),
    Check: own(<CheckPanel answer={check} onMark={onMark} />),
    'Why this code?': own(<ExplanationPanel parts={parts} />),
  };
  const tabs = Object.entries(all).filter(([name]) => !isText(mail) || !OF_HTML.has(name));
  const [tab] = tabs.find(([name]) => wordOf(name) === view.tab) ?? (tabs[0] as [string, ComponentChild]);
  return (
    // A click focuses the email, so that scrolling keys scroll the email.
    <article ref={article} class="mail column gap-8" aria-label="Email" tabIndex={-1}>
      {isPhone && <PhoneBar key={`bar ${id}`} />}
      <MailTop key={`top ${id}`} {...{ parts, isPhone }} />
      {error === null && <Attachments key={`files ${id}`} parts={parts} />}
      {error !== null && gone === null && !Object.hasOwn(shared, tab) && <Unanswered answer={held} />}
      <Tabs
        label="The email"
        of={id}
        chosen={tab}
        onChoose={(name) => change({ tab: wordOf(name) })}
        badges={{ Check: <CheckBadge check={check.value} /> }}
        tabs={Object.fromEntries(tabs)}
      />
    </article>
  );
}

/** The tabs that a text message lacks. */
const OF_HTML = new Set(['Preview', 'HTML', 'Check']);

/** The name of a tab in the URL: its first word. */
function wordOf(name: string): string {
  return name.toLowerCase().split(' ', 1)[0] ?? '';
}

/** On a phone, replaces the toolbar of the page. */
function PhoneBar() {
  const { inbox, isOfAll, listName, mail, gone, entries = [], letGo } = useMail();
  const { code } = mail;
  const own: readonly Entry[] = [{ text: 'Use this email in a test', icon: 'file', content: <Uses /> }];
  return (
    <div class="phone-bar bar gap-4">
      <Button class="button-quiet" icon="back" aria-label={listName} onClick={letGo} />
      <Subject />
      {code !== null && (
        <CopyButton class="button button-quiet phone-code" text={code} what={`code ${code}`}>
          <span class="digits mono">{code}</span>
        </CopyButton>
      )}
      <More inbox={isOfAll ? '' : inbox} first={gone === null ? own : []} entries={entries} />
    </div>
  );
}

function Subject() {
  const { mail } = useMail();
  const subject = subjectOf(mail);
  return (
    <h2 class="title" tabIndex={-1} title={writtenOut(subject)} dir={directionOf(subject)}>
      {isText(mail) && <Icon name="text" />}
      <Visible text={subject} />
    </h2>
  );
}

function MailTop({ parts, isPhone }: { parts: EmailParts | null; isPhone: boolean }) {
  const { mail, listName, gone, now, news, letGo, remove } = useMail();
  const facts = <MailFacts {...{ parts, isPhone }} />;
  return (
    <div class="mail-top stack gap-8">
      <header class="mail-head stack">
        {isPhone ? (
          news
        ) : (
          <>
            <p class="mail-bar bar spread">
              <Button class="button-quiet mail-back" icon="back" text={listName} onClick={letGo} />
              {news}
            </p>
            <div class="mail-title">
              <Subject />
              {gone === null && <MailActions />}
            </div>
          </>
        )}
        {gone !== null && <GoneNotice gone={gone} />}
        {isPhone ? (
          <div class="mail-fold">
            <details>
              <summary class="bar text-14">
                <Line class="medium" text={senderOf(mail)} />
                <span class="soft digits">{ago(now - mail.receivedAt)}</span>
                <Icon name="down" />
              </summary>
              {facts}
            </details>
            {gone === null && (
              <Button class="button-quiet" icon="trash" aria-label="Delete this email" onClick={remove} />
            )}
          </div>
        ) : (
          facts
        )}
      </header>
      <Found parts={parts} />
    </div>
  );
}

/** Maximum number of people shown for a field. The header tab lists all of them. */
const MAX_NAMED = 20;

function MailFacts({ parts, isPhone }: { parts: EmailParts | null; isPhone: boolean }) {
  const { inbox, isOfAll, mail, gone, now } = useMail();
  const { retentionMs } = useKnown();
  const { from, fromName, to, receivedAt, size } = mail;
  const recipient = { name: '', address: to };
  const fields: Record<string, readonly Mailbox[]> = {
    From: parts?.from.length ? parts.from : [{ name: fromName, address: from }],
    To: parts?.to.length ? parts.to : [recipient],
    Cc: parts?.cc ?? [],
    'Reply-To': parts?.replyTo ?? [],
  };
  const isCut = (name: string) =>
    parts?.incomplete.some((field) => field.toLowerCase() === name.toLowerCase().replace('-', ''));
  const isTo = ({ address }: Mailbox) => address.toLowerCase() === to.toLowerCase();
  // In mail from a mailing list and in a blind copy, the header names another recipient.
  if (parts !== null && !Object.values(fields).flat().some(isTo)) fields['Received for'] = [recipient];
  return (
    <dl class="mail-facts soft text-13">
      {isPhone && (
        <Fact name="Subject">
          <Visible text={subjectOf(mail)} />
        </Fact>
      )}
      {Object.entries(fields).map(
        ([name, people]) => people.length > 0 && <Fact key={name} {...{ name, people }} isCut={isCut(name)} />,
      )}
      {isOfAll && (
        <Fact name="Inbox">
          <a href={`${pagePath(inbox)}#${mail.key}`}>{inbox}</a>
        </Fact>
      )}
      <Fact name="Date">
        <time dateTime={mail.key}>{exact(receivedAt)}</time>
        <span class="digits">
          {ago(now - receivedAt)}
          {gone === null && `, ${left(receivedAt + retentionMs - now)}`}
        </span>
      </Fact>
      <Fact name="Size">{sizeText(size)}</Fact>
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  readonly people?: readonly Mailbox[];
  /** Whether the email names more people than the service lists. */
  readonly isCut?: boolean | undefined;
  readonly children?: ComponentChildren;
}

function Fact({ name, people = [], isCut, children }: FactProps) {
  const least = isCut ? 'more than ' : '';
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {people.slice(0, MAX_NAMED).map((person, position) => (
          <Person key={position} person={person} />
        ))}
        {people.length > MAX_NAMED && <span class="hint">{`and ${least}${people.length - MAX_NAMED} more`}</span>}
        {children}
      </dd>
    </div>
  );
}

function Person({ person: { name, address } }: { person: Mailbox }) {
  return (
    <span class="person">
      {name !== '' && <Visible as="strong" title={writtenOut(name)} text={name} />}
      {name !== '' && ' '}
      {(name === '' || address !== '') && <Visible as="span" class="person-address" text={address || 'No sender'} />}
    </span>
  );
}
