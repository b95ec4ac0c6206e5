/**
 * A real fetch that records its requests with their query: `list?…` for a fetch of all emails, otherwise the last part
 * of the path, such as `stream?…`, `summary?…` and `email`.
 */
export interface RecordingFetch {
  readonly fetch: typeof fetch;
  readonly requests: string[];
  /** Requests whose response has begun. */
  readonly answered: string[];
}

/** An email as a stream sends it. */
export const EMAIL = {
  receivedAt: '2026-01-31T09:30:00.000Z',
  subject: 'Hello',
  from: '',
  body: '',
  rawBody: '',
  otp: null,
  magicLink: null,
};

/** Answers a request instead of the server, or returns null to send it to the server. */
export type Answer = (request: string, init?: RequestInit) => Response | null;

/** Records and forwards requests; `answer` can respond instead, as a proxy might. */
export function recordingFetch(answer: Answer = () => null): RecordingFetch {
  const requests: string[] = [];
  const answered: string[] = [];
  return {
    requests,
    answered,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input));
      const request = `${init?.method === 'DELETE' ? 'delete ' : ''}${operationOf(pathname)}${decodeURIComponent(search)}`;
      requests.push(request);
      const response = answer(request, init) ?? (await fetch(input, init));
      answered.push(request);
      return response;
    },
  };
}

/** `list` for `/api/inbox/demo`, `email` for `/api/inbox/demo/2026-…Z`, otherwise the operation, such as `stream`. */
function operationOf(pathname: string): string {
  const [, , inbox, operation = 'list', ...rest] = pathname.slice(1).split('/');
  if (inbox === undefined) return pathname;
  return rest[0] ?? (/^\d/.test(operation) ? 'email' : operation);
}
