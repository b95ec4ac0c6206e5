/**
 * Which messages need each rule: those that come out wrong when that rule alone is dropped. A rule that did not hold for
 * anything in a message cannot change what comes out, so that only the others are tried there.
 * @param {readonly import('./load.js').CorpusCase[]} cases
 * @param {import('./rule-needs.js').Extraction} extraction
 * @returns {Map<string, string[]>} names of messages by the rule's id, in the order of the rules
 */
export function ruleNeeds(cases, { parseMessage, contentOf, choose, RULES, ruleIds, withoutRule }) {
  const needs = new Map(ruleIds(RULES).map((id) => [id, []]));
  const rulesWithout = new Map([...needs.keys()].map((id) => [id, withoutRule(RULES, id)]));
  for (const { message, name, otp, magicLink } of cases) {
    const content = contentOf(parseMessage(message));
    const isRight = ({ code, link }) => (code?.value ?? null) === otp && (link?.value ?? null) === magicLink;
    const choice = choose(content, RULES);
    // A message that is wrong with all rules says nothing of one of them.
    if (!isRight(choice)) continue;
    for (const id of rulesAtWork(choice, RULES)) {
      if (!isRight(choose(content, rulesWithout.get(id) ?? RULES))) needs.get(id)?.push(name);
    }
  }
  return needs;
}

/** The ids of the rules that held for something that was considered. */
function rulesAtWork({ codes, links }, rules) {
  return new Set([...idsAtWork(codes, rules.code.points), ...idsAtWork(links, rules.link.points)]);
}

function idsAtWork(candidates, points) {
  return candidates.flatMap(({ excluded, facts }) => {
    if (excluded !== null) return [excluded.rule];
    return points.filter(([, , , holds]) => holds(facts)).map(([id]) => id);
  });
}
