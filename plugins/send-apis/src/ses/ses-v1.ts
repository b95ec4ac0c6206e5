import { randomUUID } from 'node:crypto';
import type { Answer } from '../answer.js';
import { isRefused, type Outcome } from '../delivery.js';
import type { Problem } from '../problem.js';
import type { Provider } from '../provider.js';
import { SES_ERRORS, sesWords } from './ses-problems.js';

const NAMESPACE = 'http://ses.amazonaws.com/doc/2010-12-01/';

/** Everything is sent here; a field says what it is. */
const ACTION_PATH = '/';

/** Version 1 of SES, the Query API (docs.aws.amazon.com/ses/latest/APIReference). */
export const sesV1Provider: Provider = {
  title: 'Amazon SES',
  answer(problem) {
    const { status, v1 } = SES_ERRORS[problem.kind];
    const type = status < 500 ? 'Sender' : 'Receiver';
    const error = `<Error><Type>${type}</Type><Code>${v1}</Code><Message>${escaped(sesWords(problem))}</Message></Error>`;
    // Throttling is a 400 here.
    const code = status === 429 || status === 404 ? 400 : status;
    return xml(
      code,
      `<ErrorResponse xmlns="${NAMESPACE}">${error}<RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
    );
  },
  roots: [],
  resources: null,
  addRoutes(api, desk) {
    desk.add(api, {
      provider: 'ses',
      path: ACTION_PATH,
      translator: 'ses v1',
      mediaTypes: ['application/x-www-form-urlencoded'],
      isPermissive: (_request, action) => action === 'SendBulkTemplatedEmail',
      accepted: (outcomes, _request, action) => accepted(action, outcomes),
    });
  },
};

function accepted(action: string, outcomes: readonly Outcome[]): Answer {
  const results = outcomes.map((mail) =>
    isRefused(mail) ? `<Error>${escaped(sesWords(mail))}</Error>` : `<MessageId>${mail.id}</MessageId>`,
  );
  const members = results.map((result, at) => {
    const outcome = outcomes[at] as Outcome;
    const status = isRefused(outcome) ? statusOf(outcome) : 'Success';
    return `<member><Status>${status}</Status>${result}</member>`;
  });
  const content = action === 'SendBulkTemplatedEmail' ? `<Status>${members.join('')}</Status>` : results.join('');
  const result = `<${action}Result>${content}</${action}Result>`;
  const metadata = `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata>`;
  return xml(200, `<${action}Response xmlns="${NAMESPACE}">${result}${metadata}</${action}Response>`);
}

/** docs.aws.amazon.com/ses/latest/APIReference/API_BulkEmailDestinationStatus.html */
function statusOf({ kind }: Problem): string {
  if (kind === 'not-served') return 'MessageRejected';
  if (kind === 'full') return 'AccountDailyQuotaExceeded';
  if (kind === 'rate') return 'AccountThrottled';
  return kind === 'unavailable' ? 'TransientFailure' : 'InvalidParameterValue';
}

function xml(status: number, body: string): Answer {
  return { status, type: 'text/xml; charset=utf-8', body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}` };
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** XML 1.0 section 2.2 allows no control characters. */
function escaped(text: string): string {
  const allowed = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '?');
  return allowed.replace(/[&<>]/g, (char) => ESCAPES[char] as string);
}
