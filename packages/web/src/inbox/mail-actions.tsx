import { useRef, useState } from 'preact/hooks';
import { emailPath, keyOf, pagePath, smtpServer } from '../service.js';
import { Button, CopyButton } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { SavedMessage } from '../ui/saved-file.js';
import { Command, Scroll } from '../ui/scroll.js';
import { Roving } from '../ui/tabs.js';
import { Visible } from '../ui/visible.js';
import { Asked, useMail } from './answer.js';
import { lineChanges } from './line-changes.js';
import { type Mail, subjectOf } from './mail.js';

export function MailActions() {
  const { remove } = useMail();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    setOpen(true);
    dialog.current?.showModal();
  };
  return (
    <>
      <Roving class="bar gap-0" label="Actions">
        <Button
          class="button-quiet button-small"
          icon="more"
          text="Use"
          aria-label="Use this email in a test"
          onClick={open}
        />
        <Button
          class="button-quiet button-small"
          icon="trash"
          text="Delete"
          aria-label="Delete this email"
          onClick={remove}
        />
      </Roving>
      <Dialog dialog={dialog} title="Use this email" closing="Close">
        {isOpen && <Uses />}
      </Dialog>
    </>
  );
}

function Uses() {
  const { settings, inbox, mail, before } = useMail();
  const [isCompared, setCompared] = useState(false);
  const needsKey = keyOf(inbox) !== null;
  const rawUrl = `${location.origin}${emailPath(inbox, mail.key)}/raw`;
  const commands = {
    ...testsFor(mail, inbox, needsKey),
    'Send it again': resendCommand(mail, rawUrl, smtpServer(settings), needsKey),
  };
  return (
    <div class="uses stack gap-12">
      {Object.entries(commands).map(([name, command]) => (
        <section key={name}>
          <h3 class="text-14">{name}</h3>
          <Command label={name} command={command} />
        </section>
      ))}
      <p class="flow">
        <CopyButton text={`${location.origin}${pagePath(inbox)}#${mail.key}`} what="link to this email">
          Copy link to this email
        </CopyButton>
        <SavedMessage inbox={inbox} mail={mail.key}>
          Save as fixture (.eml) <Icon name="download" />
        </SavedMessage>
        {before !== null && (
          <Button
            text="Compare with the previous email"
            aria-expanded={isCompared}
            onClick={() => setCompared(!isCompared)}
          />
        )}
      </p>
      {before !== null && isCompared && <Comparison before={before} />}
    </div>
  );
}

function Comparison({ before }: { before: Mail }) {
  const { mail } = useMail();
  return (
    <Asked
      ask={async (api, signal) => {
        const texts = [before, mail].map(async ({ key }) => (await api.parts(key, signal)).text ?? '');
        const [old = '', fresh = ''] = await Promise.all(texts);
        return { lines: lineChanges(old, fresh) };
      }}
      whenGone={() => {}}
    >
      {({ lines }) => {
        if (lines === null) return <p class="hint">These emails differ in too many lines.</p>;
        return (
          <>
            <p class="hint">
              {lines.every(({ sign }) => sign === ' ') ? 'Same text as ' : 'Compared with '}
              <Visible text={subjectOf(before)} />
            </p>
            <Scroll label="Changes of the text" class="changes">
              {lines.map(({ sign, text }, position) => (
                <p key={position} data-sign={sign}>
                  {sign} <Visible text={text} />
                </p>
              ))}
            </Scroll>
          </>
        );
      }}
    </Asked>
  );
}

/** An address that needs no quotes in a shell, a terminal or SMTP. */
const PLAIN_ADDRESS = /^[\w.+=-]+@[\w.-]+$/;

const ANY_SENDER = 'app@example.test';

const KEY_HEADER = '-H "Authorization: Bearer $MAYFLY_API_KEY" ';

/** Code that waits for a similar email, by programming language. */
function testsFor(mail: Mail, inbox: string, needsKey: boolean): Readonly<Record<string, string>> {
  const { method, query } = wantedOf(mail);
  const filters = Object.entries(filterOf(mail));
  const options = filters.map(([name, text]) => `${name}: ${JSON.stringify(text)}`);
  const named = filters.map(([name, text]) => `${name === 'from' ? 'from_' : name}=${JSON.stringify(text)}`);
  const parameters = new URLSearchParams(filters);
  if (query !== undefined) parameters.set(query, 'true');
  const url = `${location.origin}/api/inbox/${encodeURI(inbox)}/stream?${parameters}`;
  return {
    TypeScript: `await inbox.${method}(${options.length === 0 ? '' : `{ ${options} }`})`,
    Python: `inbox.${method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}(${named})`,
    curl: `curl -N ${needsKey ? KEY_HEADER : ''}${shellQuoted(url)}`,
  };
}

/** The client's method that waits for an email of this kind, and the equivalent parameter of a stream, if any. */
function wantedOf({ otp, magicLink, code, action }: Mail): { method: string; query?: string } {
  if (otp !== null) return { method: 'waitForOtp', query: 'hasOtp' };
  if (magicLink !== null) return { method: 'waitForMagicLink', query: 'hasMagicLink' };
  if (code !== null) return { method: 'waitForCode' };
  return { method: action ? 'waitForLink' : 'waitForEmail' };
}

/** Filters by a part of the subject or, if the subject has no plain part, by a part of the sender's address. */
function filterOf({ subject, from }: Mail): Readonly<Record<string, string>> {
  const part = plainPart(subject);
  if (part !== '') return { subject: part };
  return from === '' ? {} : { from: plainPart(from) };
}

/**
 * The longest part of a stranger's text, for a filter in example code, without the `…` of a truncated text, and without
 * invisible characters and changes of direction: code with these may look different from what runs (CVE-2021-42574).
 */
function plainPart(text: string): string {
  const pieces = text.split(/[\p{C}\p{Zl}\p{Zp}…]/u);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest)).trim();
}

/** A command that sends the message again, byte for byte. */
function resendCommand(mail: Mail, rawUrl: string, server: string, needsKey: boolean): string {
  const sender = PLAIN_ADDRESS.test(mail.from) ? mail.from : ANY_SENDER;
  return [
    `curl -s ${needsKey ? KEY_HEADER : ''}${shellQuoted(rawUrl)} |`,
    `  curl smtp://${server} -T - \\`,
    `  --mail-from ${sender} \\`,
    `  --mail-rcpt ${shellQuoted(mail.to)}`,
  ].join('\n');
}

/** Quotes a stranger's text for a POSIX shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
