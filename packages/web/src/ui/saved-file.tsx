import type { ComponentChildren } from 'preact';
import { wordsFor } from '../problem-words.js';
import { emailPath, inboxApi, keyOf } from '../service.js';
import { toast } from './announce.js';

interface SavedFileProps {
  readonly href: string;
  readonly name: string;
  readonly inbox: string;
  /** Fetches the file of an inbox that needs a key, because a link sends no key. */
  fetch(): Promise<Blob>;
  readonly label?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function SavedFile({ href, name, inbox, fetch, label, class: style = 'button', children }: SavedFileProps) {
  const save = async (event: Event) => {
    if (keyOf(inbox) === null) return;
    event.preventDefault();
    try {
      const url = URL.createObjectURL(await fetch());
      Object.assign(document.createElement('a'), { href: url, download: name }).click();
      URL.revokeObjectURL(url);
    } catch (error) {
      toast(wordsFor(error as Error));
    }
  };
  return (
    <a class={style} href={href} download onClick={save} aria-label={label}>
      {children}
    </a>
  );
}

export function SavedMessage({ inbox, mail, children }: { inbox: string; mail: string; children: ComponentChildren }) {
  const fetch = () => inboxApi(inbox).message(mail);
  return <SavedFile href={`${emailPath(inbox, mail)}/raw`} name={`${inbox}.eml`} {...{ inbox, fetch, children }} />;
}
