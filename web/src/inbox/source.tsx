import type { Service } from '../service.js';
import { emailPath } from '../service.js';
import { announce } from '../ui/announce.js';
import { CopyButton } from '../ui/copy.js';
import { Icon } from '../ui/icon.js';
import { Scroll } from '../ui/scroll.js';
import { headerOf, MAX_SOURCE_CHARS, type Mail } from './mail.js';

/** The readable text of a mail, as a test gets it. */
export function TextPanel({ mail: { body } }: { mail: Mail }) {
  if (body === '') return <p class="hint">This email has no text.</p>;
  return (
    <Scroll label="Text">
      <pre>{body}</pre>
    </Scroll>
  );
}

/** The header of a mail, field by field. */
export function HeaderPanel({ mail }: { mail: Mail }) {
  return (
    <Scroll label="Headers">
      <table class="headers">
        <tbody>
          {headerOf(mail).map(({ name, value }, position) => (
            <tr key={position}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface SourcePanelProps {
  readonly service: Service;
  readonly inbox: string;
  readonly mail: Mail;
}

/** A mail as it came, and the way to keep it. */
export function SourcePanel({ service, inbox, mail }: SourcePanelProps) {
  const { source, sourceLength } = mail;
  const isCut = sourceLength > source.length;
  // A link sends no key; a file that needs one is fetched first.
  const save = async (event: Event) => {
    if (service.key === null) return;
    event.preventDefault();
    await service.message(inbox, mail.key).then(saveFile(`${inbox}.eml`), (error: Error) => announce(error.message));
  };
  return (
    <>
      <p class="panel-actions">
        <a class="button" href={`${emailPath(inbox, mail.key)}/raw`} download onClick={save}>
          Download .eml <Icon name="download" />
        </a>
        {!isCut && <CopyButton text={source} what="source" />}
        {isCut && <span class="hint">The first {MAX_SOURCE_CHARS / 1024} KiB are shown.</span>}
      </p>
      <Scroll label="Source">
        <pre>{source}</pre>
      </Scroll>
    </>
  );
}

function saveFile(name: string): (content: Blob) => void {
  return (content) => {
    const url = URL.createObjectURL(content);
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    URL.revokeObjectURL(url);
  };
}
