import type { ExplainedCandidate } from 'mayfly-client';
import type { Service } from '../service.js';
import { Scroll } from '../ui/scroll.js';
import type { Mail } from './mail.js';
import { Unanswered } from './unanswered.js';
import { useAnswer } from './use-answer.js';

interface ExplanationPanelProps {
  readonly service: Service;
  readonly inbox: string;
  readonly mail: Mail;
  onGone(): void;
}

/** Why a mail has the code and the link that it has, or has none. */
export function ExplanationPanel({ service, inbox, mail, onGone }: ExplanationPanelProps) {
  const answer = useAnswer((signal) => service.inbox(inbox).explanation(mail.key, signal), onGone);
  const { value: explanation } = answer;
  if (explanation === null) return <Unanswered answer={answer} />;
  const { otpCandidates, otpThreshold, magicLinkCandidates, magicLinkThreshold } = explanation;
  return (
    <Scroll label="Why this code?" class="explanation">
      <p>
        Every number and every link in the email gains points for what speaks for it and loses points for what speaks
        against it. The best one is chosen if it has enough points. Otherwise nothing is: a missing code is easier to
        notice in a test than a wrong one.
      </p>
      <Candidates
        title="Code"
        none="This email has no number of 4 to 8 digits."
        threshold={otpThreshold}
        candidates={otpCandidates}
      />
      <Candidates
        title="Link"
        none="This email has no link."
        threshold={magicLinkThreshold}
        candidates={magicLinkCandidates}
      />
    </Scroll>
  );
}

interface CandidatesProps {
  readonly title: string;
  /** What is said when there is none. */
  readonly none: string;
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
          <li key={position} class="candidate" data-verdict={candidate.verdict}>
            <p class="candidate-head">
              <strong>{candidate.value}</strong>
              <span class="candidate-verdict">
                {candidate.verdict}
                {candidate.verdict !== 'excluded' && `, ${candidate.score} points`}
              </span>
            </p>
            {candidate.where !== '' && <p class="hint">{placeOf(candidate.where)}</p>}
            <ul>
              {candidate.reasons.map(({ points, text }, reason) => (
                <li key={reason}>
                  {points !== 0 && <span class="points">{points > 0 ? `+${points}` : `−${-points}`}</span>} {text}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
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
