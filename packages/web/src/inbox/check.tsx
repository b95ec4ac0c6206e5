import type { CheckedFeature, CheckedUnsubscribe, EmailCheck } from 'mayfly-client';
import type { ComponentChildren } from 'preact';
import { Scroll } from '../ui/scroll.js';
import { sizeText } from '../ui/time.js';
import { Visible } from '../ui/visible.js';
import { type PanelProps, Unanswered, useAnswer } from './answer.js';

/** What email clients make of a mail's HTML. */
export function CheckPanel({ service, inbox, mail, onGone }: PanelProps) {
  const answer = useAnswer((signal) => service.inbox(inbox).check(mail.key, signal), onGone);
  const { value: check } = answer;
  if (check === null) return <Unanswered answer={answer} />;
  return (
    <Scroll label="Check" class="explanation">
      <ul class="candidates">
        <Finding title="Size" verdict={check.clippedByGmail ? 'wrong' : 'chosen'} text={sizeOf(check)} />
        <Finding title="Images" verdict={check.images.withoutAlt > 0 ? 'wrong' : 'chosen'} text={imagesOf(check)}>
          {check.images.sources.map((source, position) => (
            <li key={position} class="link-address">
              <Visible text={source || 'An image without an address'} />
            </li>
          ))}
        </Finding>
        <Finding
          title="List-Unsubscribe"
          verdict={check.unsubscribe?.oneClick ? 'chosen' : undefined}
          text={wayOut(check.unsubscribe)}
        >
          {check.unsubscribe?.urls.map((url, position) => (
            <li key={position} class="link-address">
              <Visible text={url} />
            </li>
          ))}
        </Finding>
      </ul>
      {check.htmlBytes > 0 && <Features check={check} />}
    </Scroll>
  );
}

function sizeOf({ htmlBytes, clippedByGmail }: EmailCheck): string {
  if (htmlBytes === 0) return 'This email has no HTML.';
  return `${sizeText(htmlBytes)} of HTML. Gmail ${clippedByGmail ? 'cuts it: it' : 'shows it whole: it'} shows 102 KB at most.`;
}

function imagesOf({ images: { total, withoutAlt } }: EmailCheck): string {
  if (total === 0) return 'No images.';
  if (withoutAlt === 0) return `${total === 1 ? 'The image has' : `All ${total} images have`} an alternative text.`;
  if (total === 1) return 'The image has no alternative text (alt).';
  return `${withoutAlt} of ${total} images have no alternative text (alt).`;
}

function wayOut(unsubscribe: CheckedUnsubscribe | null): string {
  if (unsubscribe === null) return 'No such header. Bulk mail needs one; mail that its reader asked for does not.';
  const click = unsubscribe.oneClick
    ? 'One click unsubscribes.'
    : 'No one-click unsubscribe: that takes an https address and List-Unsubscribe-Post.';
  return unsubscribe.signed === false ? `${click} The DKIM signature does not cover both headers.` : click;
}

interface FindingProps {
  readonly title: string;
  /** How it is marked: as good or as wrong. Undefined where that depends on the mail. */
  readonly verdict: 'chosen' | 'wrong' | undefined;
  readonly text: string;
  /** Items of a list. */
  readonly children?: ComponentChildren;
}

function Finding({ title, verdict, text, children }: FindingProps) {
  return (
    <li class="candidate" data-verdict={verdict}>
      <h3>{title}</h3>
      <p>{text}</p>
      <ul>{children}</ul>
    </li>
  );
}

/** What the HTML uses that not every email client supports. */
function Features({ check: { features, dataDate } }: { check: EmailCheck }) {
  return (
    <section>
      <h3>Support in email clients</h3>
      <p class="hint">
        {features.length === 0
          ? 'Every email client supports what this email uses'
          : 'What this email uses that some email clients do not support'}
        , by the tests of caniemail.com ({dataDate}).
      </p>
      <ul class="candidates">
        {features.map((feature) => (
          <Supported key={feature.url} feature={feature} />
        ))}
      </ul>
    </section>
  );
}

function Supported({ feature: { name, url, uses, supported, partial, unsupported } }: { feature: CheckedFeature }) {
  const tested = supported + partial.length + unsupported.length;
  return (
    <li class="candidate">
      <p class="candidate-head">
        <a href={url} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
        <span class="candidate-verdict">
          {uses === 1 ? 'used once' : `used ${uses} times`}, supported by {supported} of {tested}
        </span>
      </p>
      {unsupported.length > 0 && <p>Not in {unsupported.join(', ')}.</p>}
      {partial.length > 0 && <p class="hint">In part in {partial.join(', ')}.</p>}
    </li>
  );
}
