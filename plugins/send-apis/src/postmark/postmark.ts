import { json } from '../answer.js';
import { isRefused, type Outcome } from '../delivery.js';
import type { Provider } from '../provider.js';
import { postmarkError, postmarkProblem } from './postmark-answers.js';
import { addSentMessages } from './sent-messages.js';

const SHARED = { provider: 'postmark', mediaTypes: ['application/json'] } as const;

/** Postmark (postmarkapp.com/developer/api/email-api, …/templates-api). */
export const postmark: Provider = {
  title: 'Postmark',
  answer: postmarkError,
  roots: ['/email', '/messages'],
  resources: null,
  addRoutes(api, desk) {
    const result = (outcome: Outcome) =>
      isRefused(outcome)
        ? postmarkProblem(outcome)
        : {
            ...outcome.echo,
            SubmittedAt: new Date(desk.host.clock.now()).toISOString(),
            MessageID: outcome.id,
            ErrorCode: 0,
            Message: 'OK',
          };
    // postmarker, the SDK for Python, asks for templates with a slash at the end.
    for (const path of ['/email', '/email/withTemplate', '/email/withTemplate/']) {
      desk.add(api, {
        ...SHARED,
        path,
        translator: 'postmark email',
        accepted: (outcomes) => json(200, outcomes.map(result)[0]),
      });
    }
    for (const path of ['/email/batch', '/email/batchWithTemplates', '/email/batchWithTemplates/']) {
      desk.add(api, {
        ...SHARED,
        path,
        translator: 'postmark batch',
        isPermissive: () => true,
        accepted: (outcomes) => json(200, outcomes.map(result)),
      });
    }
    addSentMessages(api, desk);
  },
};
