/** A real fetch that remembers what it was asked for, as `list?…` and `stream?…` with the query in full. */
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
      const request = `${pathname.endsWith('/stream') ? 'stream' : 'list'}${decodeURIComponent(search)}`;
      requests.push(request);
      const response = answer(request, init) ?? (await fetch(input, init));
      answered.push(request);
      return response;
    },
  };
}
