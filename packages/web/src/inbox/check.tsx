import type { CheckedClients, CheckedFeature, CheckedUnsubscribe, EmailCheck, EmailParts } from 'mayfly-client';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useKnown } from '../settings.js';
import { Button } from '../ui/button.js';
import { Scroll } from '../ui/scroll.js';
import type { Marked } from '../ui/source-text.js';
import { sizeText } from '../ui/time.js';
import { useUntil } from '../ui/until.js';
import { Visible } from '../ui/visible.js';
import { OUTSIDE } from '../url.js';
import { type Answer, Unanswered, useAnswer, useMail } from './answer.js';
import { Pace } from './pace.js';

/** The share of the read limit that badges may use. */
const BADGE_SHARE = 0.1;

/** How long an email stays on screen before it is checked for the badge. */
const BADGE_MS = 500;

/** The least scores that are not called odd, or bad. */
const GOOD = 90;
const FAIR = 70;

/** The check of the email on screen: once its tab is open or, for the badge, a moment after its HTML has arrived. */
export function useCheck(parts: EmailParts | null, isOpen: boolean): Answer<EmailCheck> {
  const { inbox, mail } = useMail();
  const { readLimit } = useKnown();
  const pace = useMemo(() => new Pace(readLimit, BADGE_SHARE), []);
  const [due, setDue] = useState('');
  const id = parts?.html ? `${mail.key} ${inbox}` : '';
  useUntil(
    [id],
    (signal) =>
      id !== '' &&
      pace.turn(signal, BADGE_MS).then(
        () => setDue(id),
        () => {},
      ),
  );
  const isWanted = isOpen || (id !== '' && due === id);
  return useAnswer((api, signal) => api.check(mail.key, signal), isWanted);
}

/** A finding is a reason not to call the email good, whatever its score is. */
function toneOf({ score, clippedByGmail, images }: EmailCheck): string {
  if (score < FAIR) return 'bad';
  return score < GOOD || clippedByGmail || images.withoutAlt > 0 ? 'odd' : 'good';
}

export function CheckBadge({ check }: { check: EmailCheck | null }) {
  if (check === null || check.htmlBytes === 0) return null;
  return (
    <span class="badge text-13 digits" data-tone={toneOf(check)}>
      <span class="unseen">: </span>
      {check.score}
    </span>
  );
}

interface CheckPanelProps {
  readonly answer: Answer<EmailCheck>;
  /** Shows tags in the HTML. */
  onMark(marked: Marked): void;
}

export function CheckPanel({ answer, onMark }: CheckPanelProps) {
  const check = answer.value;
  if (check === null) return <Unanswered answer={answer} />;
  const { clippedByGmail, images, unsubscribe, features } = check;
  const sources = images.sources.map((source) => source || 'An image without an address');
  return (
    <Scroll label="Check" class="explanation stack">
      {check.htmlBytes > 0 && <Support check={check} />}
      <ul class="candidates stack gap-12">
        <Finding title="Size" isGood={!clippedByGmail} text={sizeOf(check)} />
        <Finding
          title="Images"
          isGood={images.withoutAlt === 0}
          text={imagesOf(check)}
          urls={sources}
          marked={{ name: 'Images without alt', places: images.places }}
          onMark={onMark}
        />
        <Finding
          title="List-Unsubscribe"
          isGood={unsubscribe?.oneClick || undefined}
          text={unsubscribeOf(unsubscribe)}
          urls={unsubscribe?.urls}
        />
        {features.map((feature) => (
          <Finding key={feature.url} title={feature.name} href={feature.url} marked={feature} onMark={onMark}>
            <FeatureSupport feature={feature} />
          </Finding>
        ))}
      </ul>
    </Scroll>
  );
}

/** The score, and the support by families of email clients, with the clients that lack something. */
function Support({ check }: { check: EmailCheck }) {
  const { score, clients, features, dataDate } = check;
  const lacks = features.flatMap(({ name, partial, unsupported }) => [
    ...unsupported.map((client) => ({ client, lack: name })),
    ...partial.map((client) => ({ client, lack: `${name} (partly)` })),
  ]);
  const familyOf = ({ client }: Lack) => clients.find(({ family }) => client.startsWith(family)) ?? clients.at(-1);
  const byFamily = Map.groupBy(lacks, familyOf);
  return (
    <section class="support stack gap-4" data-tone={toneOf(check)}>
      <p class="bar gap-12">
        <strong class="score digits">{score}</strong>
        <span>of 100: the support for this HTML in email clients, according to caniemail.com ({dataDate}).</span>
      </p>
      {clients.map((family) => (
        <Family key={family.family} family={family} lacks={byFamily.get(family) ?? []} />
      ))}
    </section>
  );
}

/** What an email client does not fully support. */
interface Lack {
  readonly client: string;
  readonly lack: string;
}

function Family({ family: whole, lacks }: { family: CheckedClients; lacks: readonly Lack[] }) {
  const { family, supported, partial, unsupported } = whole;
  const total = supported + partial + unsupported || 1;
  return (
    <details>
      <summary class="text-14">
        <span class="bar gap-12">
          <span class="family">{family}</span>
          <span
            class="share"
            style={{ '--full': `${(100 * supported) / total}%`, '--half': `${(100 * (supported + partial)) / total}%` }}
          />
          <span class="digits">{Math.floor(100 - (100 * (unsupported + partial / 2)) / total)}%</span>
        </span>
      </summary>
      <ul class="stack gap-4 text-14">
        {[...Map.groupBy(lacks, ({ client }) => client)].map(([client, lacking]) => (
          <li key={client}>
            <strong>{client}</strong> does not fully support {lacking.map(({ lack }) => lack).join(', ')}.
          </li>
        ))}
        {lacks.length === 0 && <li>These clients support all of it.</li>}
      </ul>
    </details>
  );
}

function sizeOf({ htmlBytes, clippedByGmail }: EmailCheck): string {
  if (htmlBytes === 0) return 'This email has no HTML.';
  return `${sizeText(htmlBytes)} of HTML. Gmail ${clippedByGmail ? 'cuts it' : 'shows it whole'}. Gmail's limit is 102 KB.`;
}

function imagesOf({ images: { total, withoutAlt } }: EmailCheck): string {
  if (total === 0) return 'No images.';
  if (withoutAlt === 0) return `${total === 1 ? 'The image has' : `All ${total} images have`} an alternative text.`;
  if (total === 1) return 'The image has no alternative text (alt).';
  return `${withoutAlt} of ${total} images have no alternative text (alt).`;
}

function unsubscribeOf(unsubscribe: CheckedUnsubscribe | null): string {
  if (unsubscribe === null) return 'No List-Unsubscribe header. Only bulk mail needs one.';
  const click = unsubscribe.oneClick
    ? 'One click unsubscribes.'
    : 'No one-click unsubscribe. It requires an https URL and the header List-Unsubscribe-Post.';
  return unsubscribe.signed === false ? `${click} DKIM does not cover both List-Unsubscribe headers.` : click;
}

interface FindingProps {
  readonly title: string;
  /** What the title links to. */
  readonly href?: string;
  /** Whether the finding is good; undefined if that depends on the purpose of the email. */
  readonly isGood?: boolean | undefined;
  readonly text?: string;
  readonly urls?: readonly string[] | undefined;
  /** The tags that `onMark` shows in the HTML. */
  readonly marked?: Marked;
  readonly onMark?: CheckPanelProps['onMark'];
  readonly children?: ComponentChildren;
}

function Finding({ title, href, isGood, text, urls = [], marked, onMark, children }: FindingProps) {
  const tone = isGood ? 'good' : 'bad';
  return (
    <li class="candidate boxed stack gap-4 text-15" data-tone={isGood === undefined ? undefined : tone}>
      <div class="flow spread">
        <h3>
          {href ? (
            <a href={href} {...OUTSIDE}>
              {title}
            </a>
          ) : (
            title
          )}
        </h3>
        {marked && marked.places.length > 0 && (
          <Button
            class="button-small"
            text="Show in HTML"
            aria-label={`Show in HTML: ${marked.name}`}
            onClick={() => onMark?.({ ...marked })}
          />
        )}
      </div>
      {text && <p>{text}</p>}
      {urls.map((url, position) => (
        <Visible key={position} as="p" class="link-address" text={url} />
      ))}
      {children}
    </li>
  );
}

function FeatureSupport({ feature: { uses, supported, partial, unsupported } }: { feature: CheckedFeature }) {
  const total = supported + partial.length + unsupported.length;
  return (
    <details>
      <summary class="soft">
        {uses === 1 ? 'Used once' : `Used ${uses} times`}, supported by {supported} of {total} clients
      </summary>
      {unsupported.length > 0 && <p>Not supported by {unsupported.join(', ')}.</p>}
      {partial.length > 0 && <p class="hint">Partly supported by {partial.join(', ')}.</p>}
    </details>
  );
}
