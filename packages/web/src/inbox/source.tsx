import type { Email } from 'mayfly-client';
import { CopyButton } from '../ui/copy.js';
import { Facts } from '../ui/facts.js';
import { Icon } from '../ui/icon.js';
import { SavedMessage } from '../ui/saved-file.js';
import { Scroll } from '../ui/scroll.js';
import { sizeText } from '../ui/time.js';
import { Visible, writtenOut } from '../ui/visible.js';
import { type PanelProps, type Parts, Unanswered, useAnswer } from './answer.js';

/** Larger emails are not fetched as a test gets them: their `rawBody` is the whole message. */
const MAX_EMAIL_BYTES = 1024 * 1024;

/** So many bytes of a message are fetched to be shown; the rest is in its file. */
const MAX_SOURCE_BYTES = 64 * 1024;

/** So many characters of a text are shown at most: more would keep the browser from answering. */
const MAX_SHOWN_CHARS = 256 * 1024;

/** What a test gets of a mail, and its readable text, whole. */
export function TextPanel({ held, ...panel }: PanelProps & { held: Parts }) {
  return (
    <>
      {held.value !== null && <EmailFields text={held.value.text ?? ''} {...panel} />}
      <Written held={held} field="text" label="Text" none="This email has no text." />
    </>
  );
}

interface EmailFieldsProps extends PanelProps {
  /** The text that stands below the fields. */
  readonly text: string;
}

/** The nine fields of an email, as a test gets them. */
function EmailFields(props: EmailFieldsProps) {
  const { size } = props.mail;
  if (size <= MAX_EMAIL_BYTES) return <Fields {...props} />;
  return <p class="hint">The fields of an email of {sizeText(size)} are not shown: rawBody is the whole message.</p>;
}

function Fields({ service, inbox, mail, text, onGone }: EmailFieldsProps) {
  const answer = useAnswer((signal) => service.inbox(inbox).email(mail.key, signal), onGone);
  const { value: email } = answer;
  if (email === null) return <Unanswered answer={answer} />;
  return (
    <details open class="fields">
      <summary>What a test gets</summary>
      <Facts facts={Object.entries(email).map(([name, value]) => [name, describe(name as keyof Email, value, text)])} />
    </details>
  );
}

function describe(name: keyof Email, value: string | null, text: string) {
  if (value === null) return 'null';
  if (name === 'rawBody') return `the source, ${value.length} characters`;
  if (name !== 'body') return <Visible text={value || '""'} />;
  if (value !== '' && value === text) return 'the text below';
  if (value !== '' && text.startsWith(value)) return `the first ${value.length} characters of the text below`;
  return <Visible text={value || '""'} />;
}

/** The HTML of a mail as its sender wrote it. */
export function HtmlPanel({ held }: { held: Parts }) {
  return <Written held={held} field="html" label="HTML" none="This email has no HTML." />;
}

interface WrittenProps {
  readonly held: Parts;
  readonly field: 'text' | 'html';
  readonly label: string;
  readonly none: string;
}

function Written({ held, field, label, none }: WrittenProps) {
  const { value: parts } = held;
  if (parts === null) return <Unanswered answer={held} />;
  const text = parts[field] ?? '';
  if (text.trim() === '') return <p class="hint">{none}</p>;
  const isCut = text.length > MAX_SHOWN_CHARS || parts.incomplete.includes(field);
  return (
    <>
      <p class="panel-actions">
        <CopyButton text={text} what={label} />
        {isCut && <span class="hint">Only the beginning is shown. Download the message for the rest.</span>}
      </p>
      <Scroll label={label}>
        <pre>{writtenOut(text.slice(0, MAX_SHOWN_CHARS))}</pre>
      </Scroll>
    </>
  );
}

/** A mail as it came, and the way to keep it. */
export function SourcePanel({ service, inbox, mail, onGone }: PanelProps) {
  const answer = useAnswer((signal) => service.source(inbox, mail.key, MAX_SOURCE_BYTES, signal), onGone);
  const { value: source } = answer;
  if (source === null) return <Unanswered answer={answer} />;
  const isCut = mail.size > MAX_SOURCE_BYTES;
  return (
    <>
      <p class="panel-actions">
        <SavedMessage {...{ service, inbox }} mail={mail.key}>
          Download .eml <Icon name="download" />
        </SavedMessage>
        {!isCut && <CopyButton text={source} what="source" />}
        {isCut && <span class="hint">The first {MAX_SOURCE_BYTES / 1024} KiB are shown.</span>}
      </p>
      <Scroll label="Source">
        <pre>{writtenOut(source)}</pre>
      </Scroll>
    </>
  );
}
