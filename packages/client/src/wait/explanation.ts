import type { ExplainedCandidate, Explanation } from 'mayfly-protocol/wire';
import { haveTexts, type InboxApi } from './inbox-api.js';

/** How the code and the link of an email were chosen, in one request. `Mayfly` loads this when it is first asked. */
export function explanation(api: InboxApi, receivedAt: string, signal?: AbortSignal): Promise<Explanation> {
  return api.transport.json<Explanation>(api.ofMessage(`/${receivedAt}/explain`, signal), isExplanation);
}

function isExplanation({ otpCandidates, letterCandidates, magicLinkCandidates }: Explanation): boolean {
  return [otpCandidates, letterCandidates, magicLinkCandidates].every(areCandidates);
}

function areCandidates(candidates: readonly ExplainedCandidate[]): boolean {
  const haveReasons = () => candidates.every(({ reasons }) => haveTexts(reasons, 'rule', 'text'));
  return haveTexts(candidates, 'value', 'verdict', 'where') && haveReasons();
}
