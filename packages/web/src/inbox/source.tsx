import type { Email, EmailParts, SendApiRequest } from 'mayfly-client';
import { useMemo, useState } from 'preact/hooks';
import { readSource } from '../service.js';
import { CopyButton, Switch } from '../ui/button.js';
import { html, plain } from '../ui/highlight.js';
import { Icon } from '../ui/icon.js';
import { SavedMessage } from '../ui/saved-file.js';
import { Facts, Scroll } from '../ui/scroll.js';
import { type Marked, SourceText } from '../ui/source-text.js';
import { sizeText } from '../ui/time.js';
import { Visible } from '../ui/visible.js';
import { Asked, useMail } from './answer.js';
import { isText } from './mail.js';

/** The fields of larger emails are not fetched, because one of them, `rawBody`, is the whole message. */
const MAX_EMAIL_BYTES = 1024 * 1024;

export const MAX_SOURCE_BYTES = 64 * 1024;

/** More characters would freeze the browser. */
export const MAX_SHOWN_CHARS = 256 * 1024;

/** An email's nine fields as a test reads them, and its whole text: its text part or, without one, that of its HTML. */
export function TextPanel({ parts }: { parts: EmailParts }) {
  const { mail } = useMail();
  const text = parts.text ?? '';
  const hasText = text.trim() !== '';
  const areFieldsShown = mail.size <= MAX_EMAIL_BYTES;
  return (
    <>
      {areFieldsShown ? (
        <Asked ask={(api, signal) => api.email(mail.key, signal)}>
          {(email) => (
            <>
              <details open={!isText(mail)} class="stack gap-8">
                <summary>Fields that a test reads</summary>
                <Facts
                  facts={Object.entries(email).map(([name, value]) => [
                    name,
                    described(name as keyof Email, value, hasText ? text : email.body),
                  ])}
                />
              </details>
              {!hasText && email.body !== '' && (
                <p class="hint">The email has no text part. This is its HTML as text, at most 5,000 characters.</p>
              )}
              {!hasText && <Written parts={parts} field="text" text={email.body} label="Text" />}
            </>
          )}
        </Asked>
      ) : (
        <p class="hint">The fields of an email of {sizeText(mail.size)} are not shown: rawBody is the whole message.</p>
      )}
      {(hasText || !areFieldsShown) && <Written parts={parts} field="text" label="Text" />}
    </>
  );
}

function described(name: keyof Email, value: unknown, text: string) {
  // Null, or what a server other than Mayfly has sent.
  if (typeof value !== 'string') return JSON.stringify(value);
  if (name === 'rawBody') return `the source, ${value.length} characters`;
  if (name === 'body' && value !== '' && value === text) return 'the text below';
  if (name === 'body' && value !== '' && text.startsWith(value)) {
    return `the first ${value.length} characters of the text below`;
  }
  return <Visible text={value || '""'} />;
}

interface WrittenProps {
  readonly parts: EmailParts;
  readonly field: 'text' | 'html';
  /** If omitted, the field. */
  readonly text?: string;
  readonly label: string;
  readonly marked?: Marked | null;
}

/** The text or the HTML of an email. */
export function Written({ parts, field, text = parts[field] ?? '', label, marked = null }: WrittenProps) {
  const { words } = useMail();
  const [isIndented, setIndented] = useState(true);
  const start = text.slice(0, MAX_SHOWN_CHARS);
  const shown = useMemo(() => (field === 'html' ? html(start, isIndented) : plain(start)), [start, isIndented]);
  if (text.trim() === '') return <p class="hint">This email has no {field === 'text' ? 'text' : label}.</p>;
  const isCut = text.length > MAX_SHOWN_CHARS || parts.incomplete.includes(field);
  return (
    <SourceText {...{ label, shown, words, marked }}>
      <CopyButton text={text} what={label} />
      {field === 'html' && <Switch label="Indent" isOn={isIndented} onTurn={setIndented} />}
      {isCut && <span class="hint">Only the beginning is shown. Download the message for the rest.</span>}
    </SourceText>
  );
}

export function SourcePanel() {
  const { inbox, mail } = useMail();
  return (
    <Asked ask={(_, signal) => readSource(inbox, mail.key, MAX_SOURCE_BYTES, signal)}>
      {(source) => <Source source={source} />}
    </Asked>
  );
}

function Source({ source }: { source: string }) {
  const { inbox, mail, words } = useMail();
  const shown = useMemo(() => plain(source), [source]);
  return (
    <SourceText label="Source" {...{ shown, words }}>
      <SavedMessage inbox={inbox} mail={mail.key}>
        Download .eml <Icon name="download" />
      </SavedMessage>
      {mail.size > MAX_SOURCE_BYTES ? (
        <span class="hint">The first {MAX_SOURCE_BYTES / 1024} KiB are shown.</span>
      ) : (
        <CopyButton text={source} what="source" />
      )}
    </SourceText>
  );
}

function wayOf(sendApi: EmailParts['sendApi']): string {
  if (sendApi === null) return 'By SMTP';
  return sendApi.provider === 'import' ? 'Imported' : `By the API of ${sendApi.provider}`;
}

export function HeaderPanel({ parts: { headers, envelope, sendApi, incomplete } }: { parts: EmailParts }) {
  const [isRaw, setRaw] = useState(false);
  return (
    <>
      <p class="panel-actions flow">
        <Switch label="As received" isOn={isRaw} onTurn={setRaw} />
        <span class="hint">
          {wayOf(sendApi)} from <Visible text={envelope.from || '<>'} /> for <Visible text={envelope.to} />
        </span>
      </p>
      {sendApi !== null && <SendApiRequestFacts request={sendApi} />}
      <Scroll label="Headers">
        <table class="headers text-14">
          <tbody>
            {headers.map(({ name, value, raw }, position) => (
              <tr key={position}>
                <Visible as="th" scope="row" text={name} />
                <Visible as="td" class="mono" text={isRaw ? raw.trim() : value} />
              </tr>
            ))}
          </tbody>
        </table>
        {incomplete.includes('headers') && <p class="hint">This email has more header fields than listed.</p>}
      </Scroll>
    </>
  );
}

/** The request to a provider API that sent an email. The service has removed the API key. */
function SendApiRequestFacts({ request: { request, notes, body } }: { request: SendApiRequest }) {
  return (
    <details>
      <Visible as="summary" text={request} />
      {notes.map((note) => (
        <Visible key={note} as="p" class="hint" text={note} />
      ))}
      <Scroll label="Request">
        <Visible as="pre" text={JSON.stringify(body, null, 2)} />
      </Scroll>
    </details>
  );
}
