import { json } from '../answer.js';
import { isRefused } from '../delivery.js';
import type { Problem } from '../problem.js';
import type { Provider } from '../provider.js';
import { SES_ERRORS, sesWords } from './ses-problems.js';

const SHARED = { provider: 'ses', mediaTypes: ['application/json'] } as const;

/** Version 2 of SES (docs.aws.amazon.com/ses/latest/APIReference-V2). */
export const sesV2Provider: Provider = {
  title: 'Amazon SES',
  answer(problem) {
    const { status, v2 } = SES_ERRORS[problem.kind];
    return json(status, { message: sesWords(problem) }, { 'x-amzn-errortype': v2 });
  },
  roots: ['/v2/email'],
  resources: null,
  addRoutes(api, desk) {
    desk.add(api, {
      ...SHARED,
      path: '/v2/email/outbound-emails',
      translator: 'ses email',
      accepted: ([mail]) => json(200, { MessageId: mail && !isRefused(mail) ? mail.id : '' }),
    });
    desk.add(api, {
      ...SHARED,
      path: '/v2/email/outbound-bulk-emails',
      translator: 'ses bulk',
      isPermissive: () => true,
      accepted: (outcomes) =>
        json(200, {
          BulkEmailEntryResults: outcomes.map((mail) =>
            isRefused(mail)
              ? { Status: statusOf(mail), Error: sesWords(mail) }
              : { Status: 'SUCCESS', MessageId: mail.id },
          ),
        }),
    });
  },
};

/** docs.aws.amazon.com/ses/latest/APIReference-V2/API_BulkEmailEntryResult.html */
function statusOf({ kind }: Problem): string {
  if (kind === 'not-served') return 'MESSAGE_REJECTED';
  if (kind === 'full') return 'ACCOUNT_DAILY_QUOTA_EXCEEDED';
  if (kind === 'rate') return 'ACCOUNT_THROTTLED';
  return kind === 'unavailable' ? 'TRANSIENT_FAILURE' : 'INVALID_PARAMETER';
}
