import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type StartOptions, startMayfly } from 'mayfly-inbox';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { afterAll } from 'vitest';

/** How long a test may wait for an event that is immediate on an idle machine. */
export const PATIENCE_MS = 120_000;

export const WORKSPACE = { name: 'acme', key: 'acme-key-0123456789abcdef' };

/** Options of a service with this workspace. */
export const WITH_KEY = { workspace: `${WORKSPACE.name}=${WORKSPACE.key}` };

/** Maximum number of messages sent at the same time. */
const AT_ONCE = 20;

/** A service that replaces another email testing tool. */
export interface RunningTool {
  readonly url: string;
  readonly smtpPort: number;
  /** Sends a message as an application does. The envelope comes from the header by default. */
  send(mail: SendMailOptions): Promise<void>;
  /** Sends this many messages to different addresses, within the limit of connections per client. */
  sendMany(count: number): Promise<void>;
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** The JSON at a path. Rejects if the response is an error. */
  json<T = Answer>(path: string, init?: RequestInit): Promise<T>;
  stop(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a response that imitates another server, which defines its own types
export type Answer = any;

/** Starts the whole service on free ports, in this process. */
export async function startTool(tool: string, options: StartOptions = {}): Promise<RunningTool> {
  const service = await startMayfly({ compatApi: tool, domain: '*', ...options });
  const transport = createTransport({ host: '127.0.0.1', port: service.smtp.port });
  const send = async (mail: SendMailOptions) => {
    await transport.sendMail({ from: 'app@app.test', subject: 'Hello', text: 'Hello', ...mail });
  };
  const ask = (path: string, init: RequestInit = {}) => fetch(service.url + path, init);
  return {
    url: service.url,
    smtpPort: service.smtp.port,
    ask,
    send,
    async sendMany(count) {
      for (let sent = 0; sent < count; sent += AT_ONCE) {
        const share = Array.from({ length: Math.min(AT_ONCE, count - sent) }, () => send({ to: freshAddress() }));
        await Promise.all(share);
      }
    },
    async json(path, init) {
      const answer = await ask(path, init);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
      return JSON.parse(text);
    },
    stop: () => service.stop(),
  };
}

/** The path of Mailpit's list of messages. */
export const LIST = '/api/v1/messages';

export interface Asking {
  readonly method?: string;
  /** The address of this machine from which to send the request. */
  readonly from?: string;
  readonly host?: string;
  /** The request target, if it is not the list's path. */
  readonly path?: string;
  readonly headers?: object;
}

/** Sends a request over a new connection from an address of this machine. */
export async function askFrom({ url }: RunningTool, asking: Asking): Promise<IncomingMessage> {
  const { port } = new URL(url);
  const { method = 'GET', from = '127.0.0.1', host = `127.0.0.1:${port}`, path = LIST, headers = {} } = asking;
  const to = { host: from.includes(':') ? '::1' : '127.0.0.1', port, path, localAddress: from, agent: false };
  const [answer] = await once(request({ ...to, method, headers: { host, ...headers } }).end(), 'response');
  return answer;
}

/** Returns an address that no other test uses. */
export function freshAddress(domain = 'app.test'): string {
  return `u${randomBytes(6).toString('hex')}@${domain}`;
}

/** Returns the header of Basic authentication. */
export function basic(password: string, user = 'anybody'): { readonly authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** Starts a service for all tests of the file that calls this. */
export async function toolOfFile(tool: string, options?: StartOptions): Promise<RunningTool> {
  const running = await startTool(tool, options);
  afterAll(() => running.stop());
  return running;
}
