import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldStreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { MAYFLY } from '../../server/test/service/process.js';

/** The result of a tool, as a host receives it. */
export interface Result {
  readonly isError?: boolean | undefined;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown> | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; total?: number | undefined }) => void;
}

/** A real host with one version of the protocol's packages and one transport. */
export interface Host {
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<Result>;
  tools(): Promise<readonly Record<string, unknown>[]>;
  prompt(name: string, args: Record<string, string>): Promise<string>;
  instructions(): string | undefined;
  /** The negotiated revision of the protocol. */
  revision(): string | undefined;
  close(): Promise<void>;
}

export interface Way {
  readonly url: string;
  readonly key?: string;
}

/** One host for each version of the protocol's packages over each transport. */
export const HOSTS: readonly (readonly [name: string, connect: (way: Way) => Promise<Host>])[] = [
  ['1.x over stdio', oldHost('stdio')],
  ['1.x over HTTP', oldHost('http')],
  ['2.x over stdio', newHost('stdio')],
  ['2.x over HTTP', newHost('http')],
];

/** Returns the command line that runs `mayfly mcp`. */
function command({ url, key }: Way) {
  const environment = { PATH: process.env.PATH ?? '', MAYFLY_URL: url, ...(key && { MAYFLY_API_KEY: key }) };
  return { command: process.execPath, args: [MAYFLY, 'mcp'], env: environment, stderr: 'inherit' as const };
}

/** The headers of each request. The key here is in the client's format NAME=KEY, but the header has only KEY. */
function request({ key }: Way) {
  return { requestInit: { headers: key ? { authorization: `Bearer ${key.split('=')[1]}` } : {} } };
}

function newHost(transport: 'stdio' | 'http') {
  return async (way: Way): Promise<Host> => {
    const client = new Client({ name: 'test', version: '2' }, { versionNegotiation: { mode: 'auto' } });
    const url = new URL(`${way.url}/mcp`);
    await client.connect(
      transport === 'http'
        ? new StreamableHTTPClientTransport(url, request(way))
        : new StdioClientTransport(command(way)),
    );
    return {
      call: async (name, args, options) => (await client.callTool({ name, arguments: args }, options)) as Result,
      tools: async () => (await client.listTools()).tools as unknown as Record<string, unknown>[],
      prompt: async (name, args) => textOf((await client.getPrompt({ name, arguments: args })).messages),
      instructions: () => client.getInstructions(),
      revision: () => client.getNegotiatedProtocolVersion(),
      close: () => client.close(),
    };
  };
}

function oldHost(transport: 'stdio' | 'http') {
  return async (way: Way): Promise<Host> => {
    const client = new OldClient({ name: 'test', version: '1' });
    let revision: string | undefined;
    const url = new URL(`${way.url}/mcp`);
    const connection =
      transport === 'http'
        ? new OldStreamableHTTPClientTransport(url, request(way))
        : new OldStdioClientTransport(command(way));
    Object.assign(connection, {
      setProtocolVersion: (version: string) => {
        revision = version;
        Object.assign(connection, { _protocolVersion: version });
      },
    });
    await client.connect(connection as Parameters<OldClient['connect']>[0]);
    return {
      call: async (name, args, options) =>
        (await client.callTool({ name, arguments: args }, undefined, options)) as unknown as Result,
      tools: async () => (await client.listTools()).tools as unknown as Record<string, unknown>[],
      prompt: async (name, args) => textOf((await client.getPrompt({ name, arguments: args })).messages),
      instructions: () => client.getInstructions(),
      revision: () => revision,
      close: () => client.close(),
    };
  };
}

function textOf(messages: readonly { content: { type: string; text?: string } | unknown }[]): string {
  return messages.map(({ content }) => (content as { text: string }).text).join('\n');
}
