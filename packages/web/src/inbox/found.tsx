import type { EmailParts } from 'mayfly-client';
import { isWeb, LinkAddress } from '../ui/address.js';
import { CopyButton } from '../ui/copy.js';
import { Icon } from '../ui/icon.js';
import { Roving } from '../ui/roving.js';
import type { Mail } from './mail.js';

/** What most readers have come for. */
export function Found({ mail, parts }: { mail: Mail; parts: EmailParts | null }) {
  const { code } = mail;
  const link = linkOf(mail, parts);
  if (code === null && link === null) return null;
  return (
    <div class="found">
      {code !== null && <Code code={code} />}
      {link !== null && <MagicLink href={link} />}
    </div>
  );
}

/**
 * The link that a reader is to follow: that of the interface, else the one that the mail asks for by whatever words.
 */
export function linkOf({ magicLink }: Mail, parts: EmailParts | null): string | null {
  return magicLink ?? parts?.links.find(({ action }) => action)?.url ?? null;
}

function Code({ code }: { code: string }) {
  return (
    <section class="found-code" aria-label="One-time code">
      <h3>Code</h3>
      <CopyButton class="code" text={code} what={`code ${code}`}>
        <span class="code-digits">{code}</span>
      </CopyButton>
    </section>
  );
}

function MagicLink({ href }: { href: string }) {
  return (
    <section class="found-link" aria-label="Magic link">
      <h3>Link</h3>
      <p class="found-address">
        <LinkAddress href={href} />
      </p>
      <Roving class="found-actions" label="Link">
        {isWeb(href) && (
          <a class="button button-main" href={href} target="_blank" rel="noopener noreferrer">
            Open link <Icon name="open" />
          </a>
        )}
        <CopyButton text={href} what="link">
          {''}
        </CopyButton>
      </Roving>
    </section>
  );
}
