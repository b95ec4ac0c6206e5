import { JSON_TYPE, type Reply } from 'mayfly-inbox/plugin';
import type { Problem } from './problem.js';

/** Formats an error as a provider's response: shape, status and text. */
export type AnswerTo = (problem: Problem) => Answer;

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
  /** JSON from a parser thread is sent unchanged as bytes, because it may be as large as a message. */
  readonly body: string | Buffer;
}

export function json(status: number, value: unknown, headers: Answer['headers'] = {}): Answer {
  return { status, headers, type: JSON_TYPE, body: JSON.stringify(value) };
}

export function sendAnswer(reply: Reply, { status, headers = {}, type, body }: Answer): Reply {
  reply.code(status).headers(headers);
  if (type !== undefined) reply.type(type);
  return reply.send(body);
}
