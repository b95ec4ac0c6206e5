import type { ExplainedCandidate, Explanation } from 'mayfly-protocol';
import type { Inboxes } from '../../inbox/inboxes.js';
import type { Access } from '../access/access.js';
import { EMAIL, EMAIL_EXAMPLE, jsonAnswer, objectSchema, REASON } from '../answer/schemas.js';
import type { App } from '../framework.js';
import { addInspectionRoute } from '../request/one-email.js';

const candidate = objectSchema<ExplainedCandidate>({
  value: { type: 'string' },
  verdict: { type: 'string', enum: ['chosen', 'another has more points', 'too few points', 'excluded'] },
  score: { type: 'number', description: "Sum of the reasons' points." },
  reasons: { type: 'array', items: REASON },
  where: {
    type: 'string',
    description: 'For a number, its place: subject, text or html. For a link, its text; for a plain URL, its place.',
  },
});

const candidates = (what: string) => ({
  type: 'array',
  description: `${what} that were considered, the best first; 20 at most.`,
  items: candidate,
});

const explanation = objectSchema<Explanation>(
  {
    otp: EMAIL.properties.otp,
    magicLink: EMAIL.properties.magicLink,
    otpThreshold: { type: 'number', description: 'The points that a code needs.' },
    otpCandidates: candidates('Numbers'),
    letterCandidates: candidates('Letters, with or without digits, that may be a code and are never the otp,'),
    magicLinkThreshold: { type: 'number', description: 'The points that a link needs.' },
    magicLinkCandidates: candidates('Links'),
  },
  { description: 'How extraction reached its result.' },
);

const EXAMPLE: Explanation = {
  otp: EMAIL_EXAMPLE.otp,
  magicLink: EMAIL_EXAMPLE.magicLink,
  otpThreshold: 40,
  otpCandidates: [
    {
      value: '482913',
      verdict: 'chosen',
      score: 90,
      reasons: [
        { rule: 'code-beside', points: 50, text: 'a word for a code is right beside it' },
        { rule: 'subject-code', points: 20, text: 'the subject mentions a code' },
        { rule: 'only-number', points: 15, text: 'it is the only one in a short message' },
        { rule: 'six-digits', points: 5, text: 'it has six digits' },
      ],
      where: 'text',
    },
  ],
  letterCandidates: [],
  magicLinkThreshold: 20,
  magicLinkCandidates: [],
};

export function addExplanationRoute(app: App, inboxes: Inboxes, access: Access): void {
  app.addSchema({ $id: 'Explanation', ...explanation });
  addInspectionRoute(app, inboxes, access, {
    work: 'explanation',
    segment: 'explain',
    operationId: 'explainEmail',
    summary: 'Explains why an email has its code and its link, or has none.',
    answer: jsonAnswer('What extraction chose and considered, best first.', { $ref: 'Explanation#' }, EXAMPLE),
  });
}
