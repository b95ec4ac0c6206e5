import type { Email, EmailParts } from 'mayfly-client';
import { readSource } from '../service.js';
import { CopyButton } from '../ui/copy.js';
import { Facts } from '../ui/facts.js';
import { Icon } from '../ui/icon.js';
import { SavedMessage } from '../ui/saved-file.js';
import { Scroll } from '../ui/scroll.js';
import { sizeText } from '../ui/time.js';
import { Visible, writtenOut } from '../ui/visible.js';
import { Asked, useMail } from './answer.js';

/** The fields of larger emails are not fetched, because `rawBody` is the whole message. */
const MAX_EMAIL_BYTES = 1024 * 1024;

const MAX_SOURCE_BYTES = 64 * 1024;

/** More characters would freeze the browser. */
const MAX_SHOWN_CHARS = 256 * 1024;

/** The nine fields that a test gets, and the whole text. */
export function TextPanel({ parts }: { parts: EmailParts }) {
  const { mail } = useMail();
  const text = parts.text ?? '';
  return (
    <>
      {mail.size > MAX_EMAIL_BYTES ? (
        <p class="hint">The fields of an email of {sizeText(mail.size)} are not shown: rawBody is the whole message.</p>
      ) : (
        <Asked ask={(api, signal) => api.email(mail.key, signal)}>
          {(email) => (
            <details open class="fields">
              <summary>Fields that a test reads</summary>
              <Facts
                facts={Object.entries(email).map(([name, value]) => [
                  name,
                  described(name as keyof Email, value, text),
                ])}
              />
            </details>
          )}
        </Asked>
      )}
      <Written parts={parts} field="text" label="Text" />
    </>
  );
}

function described(name: keyof Email, value: string | null, text: string) {
  if (value === null) return 'null';
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
  readonly label: string;
}

/** The text or the HTML of an email as its sender wrote it. */
export function Written({ parts, field, label }: WrittenProps) {
  const text = parts[field] ?? '';
  if (text.trim() === '') return <p class="hint">This email has no {field === 'text' ? 'text' : label}.</p>;
  const isCut = text.length > MAX_SHOWN_CHARS || parts.incomplete.includes(field);
  return (
    <>
      <p class="panel-actions flow">
        <CopyButton text={text} what={label} />
        {isCut && <span class="hint">Only the beginning is shown. Download the message for the rest.</span>}
      </p>
      <Scroll label={label}>
        <pre>{writtenOut(text.slice(0, MAX_SHOWN_CHARS))}</pre>
      </Scroll>
    </>
  );
}

/** The message as received. */
export function SourcePanel() {
  const { inbox, mail } = useMail();
  return (
    <Asked ask={(_, signal) => readSource(inbox, mail.key, MAX_SOURCE_BYTES, signal)}>
      {(source) => (
        <>
          <p class="panel-actions flow">
            <SavedMessage inbox={inbox} mail={mail.key}>
              Download .eml <Icon name="download" />
            </SavedMessage>
            {mail.size > MAX_SOURCE_BYTES ? (
              <span class="hint">The first {MAX_SOURCE_BYTES / 1024} KiB are shown.</span>
            ) : (
              <CopyButton text={source} what="source" />
            )}
          </p>
          <Scroll label="Source">
            <pre>{writtenOut(source)}</pre>
          </Scroll>
        </>
      )}
    </Asked>
  );
}
