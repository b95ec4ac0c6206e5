import type { ExplainedCandidate } from 'mayfly-client';
import { Scroll } from '../ui/scroll.js';
import { type PanelProps, type Parts, Unanswered, useAnswer } from './answer.js';
import { linkOf } from './found.js';

/** Why a mail has the code and the link that it has, or has none. */
export function ExplanationPanel({ service, inbox, mail, held, onGone }: PanelProps & { held: Parts }) {
  const { value: parts } = held;
  const answer = useAnswer((signal) => service.inbox(inbox).explanation(mail.key, signal), onGone);
  const { value: explanation } = answer;
  if (explanation === null) return <Unanswered answer={answer} />;
  // What is shown without being the interface's: a link that has none of its words.
  const link = mail.magicLink === null ? parts?.links.find(({ url }) => url === linkOf(mail, parts)) : undefined;
  const { otpCandidates, letterCandidates, otpThreshold, magicLinkCandidates, magicLinkThreshold } = explanation;
  return (
    <Scroll label="Why this code?" class="explanation">
      <p>
        Rules give points to every number and link in the email, or take points away. The best one is chosen if it has
        enough points. Otherwise none is chosen: in a test, a missing code is easier to notice than a wrong one.
      </p>
      <Candidates
        title="Code of digits"
        none="This email has no number of 4 to 8 digits."
        threshold={otpThreshold}
        candidates={otpCandidates}
      />
      {letterCandidates.length > 0 && (
        <Candidates title="Code with letters" threshold={otpThreshold} candidates={letterCandidates} />
      )}
      <Candidates
        title="Verification or reset link"
        none="This email has no link."
        threshold={magicLinkThreshold}
        candidates={magicLinkCandidates}
      />
      {link !== undefined && <Chosen title="Link to follow" found={{ ...link, value: link.url, where: link.place }} />}
    </Scroll>
  );
}

interface CandidatesProps {
  readonly title: string;
  /** What is said when there is none. */
  readonly none?: string;
  readonly threshold: number;
  readonly candidates: readonly ExplainedCandidate[];
}

function Candidates({ title, none, threshold, candidates }: CandidatesProps) {
  return (
    <section>
      <h3>{title}</h3>
      {candidates.length === 0 ? (
        <p class="hint">{none}</p>
      ) : (
        <p class="hint">At least {threshold} points are needed.</p>
      )}
      <ol class="candidates">
        {candidates.map((candidate, position) => (
          <Candidate key={position} candidate={candidate} />
        ))}
      </ol>
    </section>
  );
}

/** What was found of a kind that the lists above do not have. */
function Chosen({ title, found }: { title: string; found: Omit<ExplainedCandidate, 'verdict'> }) {
  return (
    <section>
      <h3>{title}</h3>
      <ol class="candidates">
        <Candidate candidate={{ ...found, verdict: 'chosen' }} />
      </ol>
    </section>
  );
}

function Candidate({ candidate: { value, verdict, score, where, reasons } }: { candidate: ExplainedCandidate }) {
  return (
    <li class="candidate" data-verdict={verdict}>
      <p class="candidate-head">
        <strong>{value}</strong>
        <span class="candidate-verdict">
          {verdict}
          {verdict !== 'excluded' && `, ${score} points`}
        </span>
      </p>
      {where !== '' && <p class="hint">{placeOf(where)}</p>}
      <ul>
        {reasons.map(({ points, text }, position) => (
          <li key={position}>
            {points !== 0 && <span class="points">{points > 0 ? `+${points}` : `−${-points}`}</span>} {text}
          </li>
        ))}
      </ul>
    </li>
  );
}

const PARTS: Readonly<Record<string, string>> = {
  subject: 'In the subject',
  text: 'In the text',
  html: 'In the HTML',
};

/** Where a candidate stands: in a part of the message, or behind the text of a link. */
function placeOf(where: string): string {
  return PARTS[where] ?? `“${where}”`;
}
