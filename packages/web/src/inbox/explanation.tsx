import type { CheckedFeature, CheckedUnsubscribe, EmailCheck, EmailParts, ExplainedCandidate } from 'mayfly-client';
import { Scroll } from '../ui/scroll.js';
import { sizeText } from '../ui/time.js';
import { Visible } from '../ui/visible.js';
import { Asked, useMail } from './answer.js';
import { linkOf } from './found.js';

/** Shows why an email has its code and its link, or has none. */
export function ExplanationPanel({ parts }: { parts: EmailParts | null }) {
  const { mail } = useMail();
  const link = mail.magicLink === null ? parts?.links.find(({ url }) => url === linkOf(mail, parts)) : undefined;
  return (
    <Asked ask={(api, signal) => api.explanation(mail.key, signal)}>
      {({ otpCandidates, letterCandidates, otpThreshold, magicLinkCandidates, magicLinkThreshold }) => (
        <Scroll label="Why this code?" class="explanation">
          <p>
            Rules give points to every number and link in the email, or take points away. The best one is chosen if it
            has enough points. Otherwise none is chosen: in a test, a missing code is easier to notice than a wrong one.
          </p>
          <Candidates
            title="Code of digits"
            what="number of 4 to 8 digits"
            threshold={otpThreshold}
            candidates={otpCandidates}
          />
          {letterCandidates.length > 0 && (
            <Candidates title="Code with letters" threshold={otpThreshold} candidates={letterCandidates} />
          )}
          <Candidates
            title="Verification or reset link"
            threshold={magicLinkThreshold}
            candidates={magicLinkCandidates}
          />
          {link !== undefined && (
            <Candidates
              title="Action link"
              candidates={[{ ...link, value: link.url, where: link.place, verdict: 'chosen' }]}
            />
          )}
        </Scroll>
      )}
    </Asked>
  );
}

interface CandidatesProps {
  readonly title: string;
  /** The noun in the notice that an email has no candidates, such as `link`. */
  readonly what?: string;
  /** The points that a candidate needs; undefined if it needs none. */
  readonly threshold?: number;
  readonly candidates: readonly ExplainedCandidate[];
}

function Candidates({ title, what = 'link', threshold, candidates }: CandidatesProps) {
  const needed = threshold !== undefined && `A candidate needs at least ${threshold} points.`;
  const hint = candidates.length === 0 ? `This email has no ${what}.` : needed;
  return (
    <section>
      <h3>{title}</h3>
      {hint && <p class="hint">{hint}</p>}
      <ol class="candidates stack gap-12">
        {candidates.map((candidate, position) => (
          <Candidate key={position} candidate={candidate} />
        ))}
      </ol>
    </section>
  );
}

const PLACES: Readonly<Record<string, string>> = {
  subject: 'In the subject',
  text: 'In the text',
  html: 'In the HTML',
};

/** `where` is a part of the message, or the text of a link. */
function Candidate({ candidate: { value, verdict, score, where, reasons } }: { candidate: ExplainedCandidate }) {
  return (
    <li class="candidate boxed stack gap-4 text-15" data-verdict={verdict}>
      <p class="flow spread">
        <strong class="mono">{value}</strong>
        <span class="soft">
          {verdict}
          {verdict !== 'excluded' && `, ${score} points`}
        </span>
      </p>
      {where !== '' && <p class="hint">{PLACES[where] ?? `“${where}”`}</p>}
      <ul>
        {reasons.map(({ points, text }, position) => (
          <li key={position}>
            {points !== 0 && <span class="points mono digits">{points > 0 ? `+${points}` : `−${-points}`}</span>} {text}
          </li>
        ))}
      </ul>
    </li>
  );
}

export function CheckPanel() {
  const { mail } = useMail();
  return (
    <Asked ask={(api, signal) => api.check(mail.key, signal)}>
      {(check) => {
        const { clippedByGmail, images, unsubscribe } = check;
        const sources = images.sources.map((source) => source || 'An image without an address');
        return (
          <Scroll label="Check" class="explanation">
            <ul class="candidates stack gap-12">
              <Finding title="Size" isGood={!clippedByGmail} text={sizeOf(check)} />
              <Finding title="Images" isGood={images.withoutAlt === 0} text={imagesOf(check)} urls={sources} />
              <Finding
                title="List-Unsubscribe"
                isGood={unsubscribe?.oneClick || undefined}
                text={unsubscribeOf(unsubscribe)}
                urls={unsubscribe?.urls}
              />
            </ul>
            {check.htmlBytes > 0 && <Features check={check} />}
          </Scroll>
        );
      }}
    </Asked>
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
}

function Finding({ title, isGood, text, urls = [] }: FindingProps) {
  const verdict = isGood ? 'chosen' : 'wrong';
  return (
    <li class="candidate boxed stack gap-4 text-15" data-verdict={isGood === undefined ? undefined : verdict}>
      <h3>{title}</h3>
      <p>{text}</p>
      <ul>
        {urls.map((url, position) => (
          <Visible key={position} as="li" class="link-address" text={url} />
        ))}
      </ul>
    </li>
  );
}

function Features({ check: { features, dataDate } }: { check: EmailCheck }) {
  return (
    <section>
      <h3>Support in email clients</h3>
      <p class="hint">
        {features.length === 0
          ? 'Every email client supports the features of this email'
          : 'Features of this email that some email clients do not support'}
        , according to caniemail.com ({dataDate}).
      </p>
      <ul class="candidates stack gap-12">
        {features.map((feature) => (
          <Supported key={feature.url} feature={feature} />
        ))}
      </ul>
    </section>
  );
}

function Supported({ feature: { name, url, uses, supported, partial, unsupported } }: { feature: CheckedFeature }) {
  return (
    <li class="candidate boxed stack gap-4 text-15">
      <p class="flow spread">
        <a href={url} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
        <span class="soft">
          {uses === 1 ? 'used once' : `used ${uses} times`}, supported by {supported} of{' '}
          {supported + partial.length + unsupported.length}
        </span>
      </p>
      {unsupported.length > 0 && <p>Not supported by {unsupported.join(', ')}.</p>}
      {partial.length > 0 && <p class="hint">Partly supported by {partial.join(', ')}.</p>}
    </li>
  );
}
