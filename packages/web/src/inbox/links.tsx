import type { EmailLink } from 'mayfly-client';
import { isWeb, LinkAddress } from '../ui/address.js';
import { CopyButton } from '../ui/copy.js';
import { Icon } from '../ui/icon.js';
import { Scroll } from '../ui/scroll.js';
import { Visible } from '../ui/visible.js';
import { type Parts, Unanswered } from './answer.js';

/** Every link of an email that a reader can follow. */
export function LinksPanel({ held }: { held: Parts }) {
  const { value: parts } = held;
  if (parts === null) return <Unanswered answer={held} />;
  const isWhole = !parts.incomplete.includes('links');
  if (parts.links.length === 0) {
    return (
      <p class="hint">{isWhole ? 'This email has no links.' : 'The beginning of this long email has no links.'}</p>
    );
  }
  return (
    <Scroll label="Links">
      <ol class="links">
        {parts.links.map((link, position) => (
          <Link key={position} link={link} />
        ))}
      </ol>
      {!isWhole && <p class="hint">This email has more links than listed.</p>}
    </Scroll>
  );
}

function Link({ link: { url, text, action } }: { link: EmailLink }) {
  return (
    <li>
      <p class="link-text">
        {action && <span class="tag">Link to follow</span>}
        {text !== url && text !== '' && <Visible text={text} />}
      </p>
      <p class="link-address">
        <LinkAddress href={url} />
      </p>
      <p class="found-actions">
        <CopyButton text={url} what="link" />
        {isWeb(url) && (
          <a class="button button-quiet" href={url} target="_blank" rel="noopener noreferrer">
            Open <Icon name="open" />
          </a>
        )}
      </p>
    </li>
  );
}
