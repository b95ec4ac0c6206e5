import type { EmailParts, ExplainedCandidate } from 'mayfly-client';
import { Scroll } from '../ui/scroll.js';
import { Asked, useMail } from './answer.js';
import { linkOf } from './found.js';

/** Shows why an email has its code and its link, or has none. */
export function ExplanationPanel({ parts }: { parts: EmailParts | null }) {
  const { mail } = useMail();
  const link = mail.magicLink === null ? parts?.links.find(({ url }) => url === linkOf(mail, parts)) : undefined;
  return (
    <Asked ask={(api, signal) => api.explanation(mail.key, signal)}>
      {({ otpCandidates, letterCandidates, otpThreshold, magicLinkCandidates, magicLinkThreshold }) => (
        <Scroll label="Why this code?" class="explanation stack">
          <p>
            Rules give points to every number and link. The best one is chosen if it has enough points, because a
            missing code is easier to notice in a test than a wrong one.
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
