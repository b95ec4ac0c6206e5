/**
 * A real fetch that remembers what it was asked for, with the query in full: `list?…` for the fetch that is limited, and the last of the
 * path for all else, such as `stream?…`, `summary?…` and `email`.
 */
export interface RecordingFetch {
  readonly fetch: typeof fetch;
  readonly requests: string[];
  /** Those whose answer has begun. */
  readonly answered: string[];
}

/** Answers a request in place of the server, or gives null to leave it to it. */
export type Answer = (request: string, init?: RequestInit) => Response | null;

/** Records and passes on; `answer` may stand in for a proxy that answers by itself. */
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

/** `/api/inbox/demo` is a list, `/api/inbox/demo/2026-…Z` an email; every other path has its own name. */
function operationOf(pathname: string): string {
  const [, , inbox, operation = 'list', ...rest] = pathname.slice(1).split('/');
  if (inbox === undefined) return pathname;
  return rest[0] ?? (/^\d/.test(operation) ? 'email' : operation);
}
