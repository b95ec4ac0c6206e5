import type { CheckedClients, CheckedFeature, CheckedUnsubscribe, EmailCheck, EmailParts } from 'mayfly-client';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Button } from '../ui/button.js';
import { Scroll } from '../ui/scroll.js';
import type { Marked } from '../ui/source-text.js';
import { sizeText } from '../ui/time.js';
import { useUntil } from '../ui/until.js';
import { Visible } from '../ui/visible.js';
import { type Answer, Unanswered, useAnswer, useMail } from './answer.js';
import { Pace } from './pace.js';

/** The share of the read limit that badges may use. */
const BADGE_SHARE = 0.1;

/** How long an email stays on screen before it is checked for the badge. */
const BADGE_MS = 500;

/** The least scores for the verdicts "good" and "fair". */
const GOOD = 90;
const FAIR = 70;

/** The check of the email on screen: once its tab is open or, for the badge, a moment after its HTML has arrived. */
export function useCheck(parts: EmailParts | null, isOpen: boolean): Answer<EmailCheck> {
  const { inbox, mail, settings } = useMail();
  const pace = useMemo(() => new Pace(settings.readLimit, BADGE_SHARE), []);
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
  return useAnswer((api, signal) => api.check(mail.key, signal), undefined, isWanted);
}

/** A finding is a reason not to call the email good, whatever its score is. */
function verdictOf({ score, clippedByGmail, images }: EmailCheck): string {
  if (score < FAIR) return 'poor';
  return score < GOOD || clippedByGmail || images.withoutAlt > 0 ? 'fair' : 'good';
}

export function CheckBadge({ check }: { check: EmailCheck | null }) {
  if (check === null || check.htmlBytes === 0) return null;
  return (
    <span class="badge text-13 digits" data-verdict={verdictOf(check)}>
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
  return (
    <Scroll label="Check" class="explanation">
      {check.htmlBytes > 0 && <Support check={check} />}
      <ul class="candidates stack gap-12">
        <Finding title="Size" isGood={!clippedByGmail} text={sizeOf(check)} />
        <Finding
          title="Images"
          isGood={images.withoutAlt === 0}
          text={imagesOf(check)}
          urls={images.sources.map((source) => source || 'An image without an address')}
        >
          <Places name="Images without alt" places={images.places} onMark={onMark} />
        </Finding>
        <Finding
          title="List-Unsubscribe"
          isGood={unsubscribe?.oneClick || undefined}
          text={unsubscribeOf(unsubscribe)}
          urls={unsubscribe?.urls}
        />
        {features.map((feature) => (
          <Supported key={feature.url} feature={feature} onMark={onMark} />
        ))}
      </ul>
    </Scroll>
  );
}

/** The score, and the support by families of email clients, with the clients that lack something. */
function Support({ check }: { check: EmailCheck }) {
  const { score, clients, features, dataDate } = check;
  const familyOf = (client: string) => clients.find(({ family }) => client.startsWith(family)) ?? clients.at(-1);
  return (
    <section class="support" data-verdict={verdictOf(check)}>
      <p class="bar gap-12">
        <strong class="score digits">{score}</strong>
        <span>of 100: the support for this HTML in email clients, according to caniemail.com ({dataDate}).</span>
      </p>
      {clients.map((family) => (
        <Family
          key={family.family}
          family={family}
          features={features}
          isOwn={(client) => familyOf(client) === family}
        />
      ))}
    </section>
  );
}

interface FamilyProps {
  readonly family: CheckedClients;
  readonly features: readonly CheckedFeature[];
  isOwn(client: string): boolean;
}

function Family({ family: { family, supported, partial, unsupported }, features, isOwn }: FamilyProps) {
  const total = supported + partial + unsupported || 1;
  const lacks = new Map<string, string[]>();
  for (const { name, partial, unsupported } of features) {
    for (const client of unsupported) lacks.set(client, [...(lacks.get(client) ?? []), name]);
    for (const client of partial) lacks.set(client, [...(lacks.get(client) ?? []), `${name} (partly)`]);
  }
  const own = [...lacks].filter(([client]) => isOwn(client));
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
      <ul class="text-14">
        {own.map(([client, names]) => (
          <li key={client}>
            <strong>{client}</strong> does not fully support {names.join(', ')}.
          </li>
        ))}
        {own.length === 0 && <li>These clients support all of it.</li>}
      </ul>
    </details>
  );
}

interface PlacesProps extends Marked {
  readonly onMark: (marked: Marked) => void;
}

function Places({ name, places, onMark }: PlacesProps) {
  if (places.length === 0) return null;
  return (
    <Button
      class="button-small"
      text="Show in HTML"
      aria-label={`Show in HTML: ${name}`}
      onClick={() => onMark({ name, places })}
    />
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
  /** Whether the finding is good; undefined if that depends on the purpose of the email. */
  readonly isGood: boolean | undefined;
  readonly text: string;
  readonly urls?: readonly string[] | undefined;
  readonly children?: ComponentChildren;
}

function Finding({ title, isGood, text, urls = [], children }: FindingProps) {
  const verdict = isGood ? 'chosen' : 'wrong';
  return (
    <li class="candidate boxed stack gap-4 text-15" data-verdict={isGood === undefined ? undefined : verdict}>
      <div class="bar spread">
        <h3>{title}</h3>
        {children}
      </div>
      <p>{text}</p>
      <ul>
        {urls.map((url, position) => (
          <Visible key={position} as="li" class="link-address" text={url} />
        ))}
      </ul>
    </li>
  );
}

interface SupportedProps extends Pick<CheckPanelProps, 'onMark'> {
  readonly feature: CheckedFeature;
}

function Supported({ feature, onMark }: SupportedProps) {
  const { name, url, uses, places, supported, partial, unsupported } = feature;
  const total = supported + partial.length + unsupported.length;
  return (
    <li class="candidate boxed stack gap-4 text-15">
      <div class="bar spread">
        <h3>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {name}
          </a>
        </h3>
        <Places {...{ name, places, onMark }} />
      </div>
      <p class="soft">
        {uses === 1 ? 'Used once' : `Used ${uses} times`}, supported by {supported} of {total} clients.
      </p>
      {unsupported.length > 0 && <p>Not supported by {unsupported.join(', ')}.</p>}
      {partial.length > 0 && <p class="hint">Partly supported by {partial.join(', ')}.</p>}
    </li>
  );
}
