/** Known clients; `other` for the rest (D11). */
const SOURCES = ['browser', 'sdk', 'mcp', 'other'] as const;
export type Source = (typeof SOURCES)[number];

/** How a stream ends: an email, the timeout, a client that left, a stop or an error. */
export const STREAM_RESULTS = ['mail', 'timeout', 'gone', 'stopped', 'failed'] as const;
export type StreamResult = (typeof STREAM_RESULTS)[number];

/** Names of limits. A limit with a setting has the setting's name. */
export const HTTP_LIMITS = [
  'fetch-limit',
  'read-limit',
  'workspace-limit',
  'stream-limit',
  'wrong-key-limit',
  'waitlist-limit',
  'smtp-limit',
  'ad-hoc-limit',
  'name-limit',
  'inspections',
  'large-answers',
  'unread-answers',
  'sends',
  'streams',
  'streams-per-client',
  'http-connections',
  'http-connections-total',
] as const;
/** Includes the settings of plugins' limits. */
export type HttpLimit = (typeof HTTP_LIMITS)[number] | (string & Record<never, never>);

/** What HTTP reports to the metrics. No method may throw or block. */
export interface HttpEvents {
  /** `route` is null for a request without one. */
  answered(route: string | null, status: number, source: Source): void;
  streamOpened(): void;
  streamClosed(): void;
  streamEnded(result: StreamResult, ms: number): void;
  limited(limit: HttpLimit): void;
}

export function sourceLabel(query: unknown): Source | undefined {
  const { source } = (query ?? {}) as { source?: unknown };
  if (source === undefined) return undefined;
  return SOURCES.find((known) => known === source) ?? 'other';
}
