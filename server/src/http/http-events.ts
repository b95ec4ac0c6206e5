import type { SettingName } from '../settings/table.js';

/** How a client calls itself, of those that are known; `other` for all else (D11). */
export const SOURCES = ['browser', 'sdk', 'mcp', 'other'] as const;
export type Source = (typeof SOURCES)[number];

/** How a stream ended: with an email, with the timeout, because the client left or the service stopped, or with an error. */
export const STREAM_RESULTS = ['mail', 'timeout', 'gone', 'stopped', 'failed'] as const;
export type StreamResult = (typeof STREAM_RESULTS)[number];

/** The limits that requests can reach: by the setting's name, where one has one of its own. */
export const HTTP_LIMITS = [
  'fetch-limit',
  'look-limit',
  'drop-in-limit',
  'workspace-limit',
  'stream-limit',
  'wrong-key-limit',
  'waitlist-limit',
  'smtp-limit',
  'tried-names',
  'inspections',
  'large-answers',
  'streams',
  'streams-per-client',
  'http-connections',
  'http-connections-total',
] as const satisfies readonly (
  | SettingName
  | 'tried-names'
  | 'inspections'
  | 'large-answers'
  | 'http-connections-total'
)[];
export type HttpLimit = (typeof HTTP_LIMITS)[number];

/** What HTTP tells whoever counts. Nothing waits for it, and none of it may throw. */
export interface HttpEvents {
  /** A request is answered; null for one that came to no route. */
  answered(route: string | null, status: number, source: Source): void;
  streamOpened(): void;
  streamClosed(): void;
  /** A stream has ended its wait, after so many milliseconds. */
  streamEnded(result: StreamResult, ms: number): void;
  /** A request or a connection was refused for a limit. */
  limited(limit: HttpLimit): void;
}

/** The label of a client, from the query of its request. */
export function sourceLabel(query: unknown): Source | undefined {
  const { source } = (query ?? {}) as { source?: unknown };
  if (source === undefined) return undefined;
  return SOURCES.find((known) => known === source) ?? 'other';
}
