import { emailPath, type Service } from '../service.js';
import { CopyButton } from '../ui/copy.js';
import { Icon } from '../ui/icon.js';
import { SavedFile } from '../ui/saved-file.js';
import { Scroll } from '../ui/scroll.js';
import { writtenOut } from '../ui/visible.js';
import { EmailFields } from './email-fields.js';
import type { Mail } from './mail.js';
import { Unanswered } from './unanswered.js';
import { useAnswer } from './use-answer.js';
import type { Parts } from './use-parts.js';

/** So many bytes of a message are fetched to be shown; the rest is in its file. */
const MAX_SOURCE_BYTES = 64 * 1024;

/** So many characters of a text are shown at most: more would keep the browser from answering. */
const MAX_SHOWN_CHARS = 256 * 1024;

interface PanelProps {
  readonly service: Service;
  readonly inbox: string;
  readonly mail: Mail;
  onGone(): void;
}

/** What a test gets of a mail, and its readable text, whole. */
export function TextPanel({ held, ...panel }: PanelProps & { held: Parts }) {
  return (
    <>
      {held.value !== null && <EmailFields text={held.value.text ?? ''} {...panel} />}
      <Written held={held} field="text" label="Text" none="This email has no text." />
    </>
  );
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
        <SavedFile
          href={`${emailPath(inbox, mail.key)}/raw`}
          name={`${inbox}.eml`}
          fetch={service.key === null ? null : () => service.inbox(inbox).message(mail.key)}
        >
          Download .eml <Icon name="download" />
        </SavedFile>
        {!isCut && <CopyButton text={source} what="source" />}
        {isCut && <span class="hint">The first {MAX_SOURCE_BYTES / 1024} KiB are shown.</span>}
      </p>
      <Scroll label="Source">
        <pre>{writtenOut(source)}</pre>
      </Scroll>
    </>
  );
}
