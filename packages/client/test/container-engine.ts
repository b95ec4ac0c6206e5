/**
 * A container engine with the part of Docker's HTTP API that Testcontainers uses. Runs the service as a process with
 * the environment of the image and of the request. Does not simulate images, isolation and networks.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { readDockerfile } from '../../server/test/container/dockerfile.js';
import { freePort } from '../../server/test/ports.js';
import { MAYFLY, temporaryFolder } from '../../server/test/service/process.js';
import { ROOT } from './packed.js';

export interface ContainerRequest {
  readonly Image: string;
  readonly Env?: readonly string[];
  readonly ExposedPorts: Readonly<Record<string, object>>;
}

export interface TestEngine {
  readonly host: string;
  readonly requests: readonly ContainerRequest[];
  count(): number;
  stop(): Promise<void>;
}

/** The only images that this engine has. Their containers run the code of this repository. */
const IMAGE = /\/mayfly:/;

interface Answer {
  readonly status?: number;
  readonly body?: object | Buffer;
}

const NO_IMAGE: Answer = { status: 404, body: { message: 'No such image' } };

class Container {
  readonly #request: ContainerRequest;
  readonly #folder: string;
  #process: ChildProcess | null = null;
  #ports: Record<string, { HostIp: string; HostPort: string }[]> = {};
  #log = '';

  constructor(request: ContainerRequest, folder: string) {
    this.#request = request;
    this.#folder = folder;
  }

  async start(): Promise<void> {
    const { environment, ports } = await imageStage();
    const published = await Promise.all(ports.map(async (port) => [port, await freePort()] as const));
    this.#ports = Object.fromEntries(
      published
        .filter(([port]) => `${port}/tcp` in this.#request.ExposedPorts)
        .map(([port, free]) => [`${port}/tcp`, [{ HostIp: '127.0.0.1', HostPort: `${free}` }]]),
    );
    const given = Object.fromEntries((this.#request.Env ?? []).map((line) => line.split(/=(.*)/s).slice(0, 2)));
    const [smtpPort, httpPort] = published.map(([, free]) => `${free}`);
    const inImage = { ...environment, MAYFLY_STORE: `lmdb:${this.#folder}`, ...given };
    // The process listens on the published ports itself, because this engine has no container network.
    const args = ['serve', '--host', '127.0.0.1', '--smtp-port', `${smtpPort}`, '--http-port', `${httpPort}`];
    const child = spawn(process.execPath, [MAYFLY, ...args], {
      env: { PATH: process.env.PATH, ...inImage },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        this.#log += text;
      });
    }
    this.#process = child;
  }

  /** Kills immediately, like a stop timeout of 0, which Testcontainers uses. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }

  inspect(id: string) {
    const hasEnded = this.#process?.exitCode != null || this.#process?.signalCode != null;
    return {
      Id: id,
      Name: '/mayfly',
      Config: { Hostname: 'mayfly', Labels: {} },
      HostConfig: {},
      State: { Status: hasEnded ? 'exited' : 'running', Running: !hasEnded, StartedAt: '', FinishedAt: '' },
      NetworkSettings: { Ports: this.#ports, Networks: {} },
    };
  }

  /** A frame of Docker's log stream for standard error: the kind, three zeros, and the length. */
  logs(): Buffer {
    const text = Buffer.from(this.#log);
    const head = Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]);
    head.writeUInt32BE(text.length, 4);
    return Buffer.concat([head, text]);
  }
}

async function imageStage() {
  const stage = readDockerfile(await readFile(path.join(ROOT, 'Dockerfile'), 'utf8')).at(-1);
  if (stage === undefined) throw new Error('The Dockerfile has no stage.');
  return stage;
}

export async function startEngine(): Promise<TestEngine> {
  const folder = await temporaryFolder();
  const containers = new Map<string, Container>();
  const requests: ContainerRequest[] = [];
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status = 200, body = {} }) => send(response, status, body),
      (error) => send(response, 500, { message: `${error}` }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname } = new URL(request.url ?? '/', 'http://engine');
    const image = /^\/images\/(.*)\/json$/.exec(pathname)?.[1];
    if (image !== undefined) return IMAGE.test(image) ? {} : NO_IMAGE;
    if (pathname === '/info') return { body: { OperatingSystem: 'a test', ServerVersion: '28.0.0' } };
    if (pathname === '/containers/json') return { body: [] };
    if (pathname !== '/containers/create') return answerOf(request.method ?? '', pathname);
    const id = `${requests.length}`;
    const wanted = (await json(request)) as ContainerRequest;
    requests.push(wanted);
    containers.set(id, new Container(wanted, path.join(folder.path, id)));
    return { status: 201, body: { Id: id, Warnings: [] } };
  }

  async function answerOf(method: string, pathname: string): Promise<Answer> {
    const [, id = '', action] = /^\/containers\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    const container = containers.get(id);
    if (container === undefined) return { status: 404, body: { message: `${method} ${pathname}` } };
    if (action === 'json') return { body: container.inspect(id) };
    if (action === 'logs') return { body: container.logs() };
    if (action !== 'start') await container.stop();
    if (action === 'start' || action === 'restart') await container.start();
    if (method === 'DELETE') containers.delete(id);
    return { status: 204 };
  }

  return {
    host: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    count: () => containers.size,
    async stop() {
      await Promise.all([...containers.values()].map((container) => container.stop()));
      server.closeAllConnections();
      server.close();
      await folder.remove();
    },
  };
}

function send(response: ServerResponse, status: number, body: object | Buffer): void {
  const isRaw = Buffer.isBuffer(body);
  response.writeHead(status, { 'content-type': isRaw ? 'application/octet-stream' : 'application/json' });
  response.end(status === 204 ? undefined : isRaw ? body : JSON.stringify(body));
}
