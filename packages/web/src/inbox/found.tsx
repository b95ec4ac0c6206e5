import type { EmailLink, EmailParts } from 'mayfly-client';
import { CopyButton } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { Scroll } from '../ui/scroll.js';
import { Roving } from '../ui/tabs.js';
import { Visible, writtenOut } from '../ui/visible.js';
import { OUTSIDE } from '../url.js';
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
    <div class="found boxed">
      {code !== null && (
        <section class="found-code bar gap-12" aria-label="One-time code">
          <h3 class="soft text-13">Code</h3>
          <CopyButton class="code address bar spread" text={code} what={`code ${code}`}>
            <span class="code-digits digits">{code}</span>
          </CopyButton>
        </section>
      )}
      {link !== null && (
        <section class="found-link bar gap-12" aria-label="Magic link">
          <h3 class="not-phone soft text-13">Link</h3>
          <Address href={link} isLine />
          <Roving class="bar" label="Link">
            <LinkActions href={link} style="button-main" />
          </Roving>
        </section>
      )}
    </div>
  );
}

export function isWeb(href: string): boolean {
  return /^https?:\/\//i.test(href) && URL.canParse(href);
}

/** Number of characters at the end of a link that stay visible: links to the same page often differ only there. */
const END_CHARS = 9;

/**
 * A URL with its host in bold. A link in one line lacks `https://`. If there is no room for all of it, its middle is
 * truncated, and only then the beginning of its host: the end of a host shows who owns it.
 */
function Address({ href, isLine = false }: { href: string; isLine?: boolean }) {
  const style = isLine ? 'found-address' : '';
  const url = webUrl(href);
  if (url === null) return <bdi class={`${style} cut`}>{href}</bdi>;
  const { protocol, userInfo, host, rest } = url;
  const end = rest.slice(isLine ? -END_CHARS : rest.length);
  return (
    <>
      <span class={`${style} bar gap-0`} title={writtenOut(href)}>
        {(!isLine || protocol !== 'https:') && <bdi>{`${protocol}//`}</bdi>}
        <bdi class="link-middle cut">{userInfo}</bdi>
        <strong class="link-host cut">
          <bdi dir="ltr">{host}</bdi>
        </strong>
        <bdi class="link-middle cut" data-long={rest.length > END_CHARS + 2}>
          {rest.slice(0, rest.length - end.length)}
        </bdi>
        <bdi dir="ltr" class="link-end">
          {end}
        </bdi>
      </span>
      {userInfo !== '' && (
        <span class="warning">
          The text before @ is a user name, not a host: this leads to <strong>{host}</strong>.
        </span>
      )}
    </>
  );
}

/** A web URL as browsers parse it, with its user name and password as written before the host; null for other links. */
function webUrl(href: string) {
  if (!isWeb(href)) return null;
  const { protocol, username, password, host, pathname, search, hash } = new URL(href);
  const login = `${username}${password && `:${password}`}`;
  return { protocol, userInfo: login && `${login}@`, host, rest: `${pathname}${search}${hash}` };
}

function LinkActions({ href, style }: { href: string; style: string }) {
  return (
    <>
      {isWeb(href) && (
        <a class={`button button-small ${style}`} href={href} aria-label="Open link" {...OUTSIDE}>
          Open <Icon name="open" />
        </a>
      )}
      <CopyButton class="button button-quiet button-small" text={href} what="link">
        {''}
      </CopyButton>
    </>
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
      <table class="links text-14">
        <thead class="soft">
          <tr>
            <th scope="col">Text</th>
            <th scope="col">Address</th>
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {links.map((link, position) => (
            <LinkRow key={position} link={link} />
          ))}
        </tbody>
      </table>
      {!isWhole && <p class="hint">This email has more links than listed.</p>}
    </Scroll>
  );
}

function LinkRow({ link: { url, text, action } }: { link: EmailLink }) {
  const isText = text !== '' && text !== url;
  return (
    <tr>
      <td>
        {isText ? <Visible as="span" class="medium" text={text} /> : <span class="soft">{text && 'The address'}</span>}
        {action && <span class="tag"> Action link</span>}
      </td>
      <td class="link-address">
        <Address href={url} />
      </td>
      <td>
        <p class="bar gap-0">
          <LinkActions href={url} style="button-quiet" />
        </p>
      </td>
    </tr>
  );
}
