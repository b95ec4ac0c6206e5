import type { EmailLink, EmailParts } from 'mayfly-client';
import { CopyButton } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { Scroll } from '../ui/scroll.js';
import { Roving } from '../ui/tabs.js';
import { Visible } from '../ui/visible.js';
import { useMail } from './answer.js';
import type { Mail } from './mail.js';

/** The action link: the magic link; without one, the first link with an action. */
export function linkOf({ magicLink }: Mail, parts: EmailParts | null): string | null {
  return magicLink ?? parts?.links.find(({ action }) => action)?.url ?? null;
}

export function Found({ parts }: { parts: EmailParts | null }) {
  const { mail } = useMail();
  const { code } = mail;
  const link = linkOf(mail, parts);
  if (code === null && link === null) return null;
  return (
    <div class="found flow">
      {code !== null && (
        <section class="found-code boxed bar gap-12" aria-label="One-time code">
          <h3 class="soft text-13">Code</h3>
          <CopyButton class="code address bar gap-12" text={code} what={`code ${code}`}>
            <span class="code-digits digits">{code}</span>
          </CopyButton>
        </section>
      )}
      {link !== null && (
        <section class="found-link boxed bar gap-12" aria-label="Magic link">
          <p class="found-address">
            <LinkAddress href={link} />
          </p>
          <Roving class="bar" label="Link">
            <OpenLink href={link} class="button button-main button-small" text="Open link" />
            <CopyButton class="button button-small" text={link} what="link">
              {''}
            </CopyButton>
          </Roving>
        </section>
      )}
    </div>
  );
}

export function isWeb(href: string): boolean {
  return /^https?:\/\//i.test(href) && URL.canParse(href);
}

/** A URL as browsers parse it, with its host in bold. */
function LinkAddress({ href }: { href: string }) {
  if (!isWeb(href)) return <bdi>{href}</bdi>;
  const { protocol, username, password, host, pathname, search, hash } = new URL(href);
  const hasCredentials = username !== '' || password !== '';
  const credentials = `${username}${password === '' ? '' : `:${password}`}@`;
  return (
    <>
      <bdi>
        {`${protocol}//`}
        {hasCredentials && credentials}
        <strong>{host}</strong>
        {pathname}
        {search}
        {hash}
      </bdi>
      {hasCredentials && (
        <span class="warning">
          The text before @ is a user name, not a host: this leads to <strong>{host}</strong>.
        </span>
      )}
    </>
  );
}

function OpenLink({ href, class: style, text }: { href: string; class: string; text: string }) {
  if (!isWeb(href)) return null;
  return (
    <a class={style} href={href} target="_blank" rel="noopener noreferrer">
      {text} <Icon name="open" />
    </a>
  );
}

export function LinksPanel({ parts: { links, incomplete } }: { parts: EmailParts }) {
  const isWhole = !incomplete.includes('links');
  if (links.length === 0) {
    return (
      <p class="hint">{isWhole ? 'This email has no links.' : 'The beginning of this long email has no links.'}</p>
    );
  }
  return (
    <Scroll label="Links">
      <ol class="links stack">
        {links.map((link, position) => (
          <Link key={position} link={link} />
        ))}
      </ol>
      {!isWhole && <p class="hint">This email has more links than listed.</p>}
    </Scroll>
  );
}

function Link({ link: { url, text, action } }: { link: EmailLink }) {
  return (
    <li class="stack gap-4">
      <p class="link-text flow">
        {action && <span class="tag">Action link</span>}
        {text !== url && text !== '' && <Visible text={text} />}
      </p>
      <p class="link-address">
        <LinkAddress href={url} />
      </p>
      <p class="flow">
        <CopyButton text={url} what="link" />
        <OpenLink href={url} class="button button-quiet" text="Open" />
      </p>
    </li>
  );
}
