import type { ComponentChildren } from 'preact';
import { wordsFor } from '../problem-words.js';
import { emailPath, type Service } from '../service.js';
import { toast } from './announce.js';

interface SavedFileProps {
  readonly href: string;
  /** What the file is called where it is fetched first. */
  readonly name: string;
  /** Fetches the file; null where a link alone gets it. A link sends no key. */
  readonly fetch: (() => Promise<Blob>) | null;
  readonly label?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A link that saves a file of the service. */
export function SavedFile({ href, name, fetch, label, class: style = 'button', children }: SavedFileProps) {
  const save = (event: Event) => {
    if (fetch === null) return;
    event.preventDefault();
    fetch().then(
      (content) => saveAs(name, content),
      (error: Error) => toast(wordsFor(error)),
    );
  };
  return (
    <a class={style} href={href} download onClick={save} aria-label={label}>
      {children}
    </a>
  );
}

interface SavedMessageProps {
  readonly service: Service;
  readonly inbox: string;
  /** The email's key. */
  readonly mail: string;
  readonly children: ComponentChildren;
}

/** The same for a message as it came. */
export function SavedMessage({ service, inbox, mail, children }: SavedMessageProps) {
  const fetch = service.key === null ? null : () => service.inbox(inbox).message(mail);
  return <SavedFile href={`${emailPath(inbox, mail)}/raw`} name={`${inbox}.eml`} {...{ fetch, children }} />;
}

function saveAs(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
