/**
 * Reads a file of `conversations/` and plays it against the server over a real socket. To add a case, add a file.
 *
 *     # Title, and remarks            `#` begins a remark; the first one is the name of the test
 *     with max-recipients=2           settings that are not the defaults
 *     behind proxy                    the client connects through a proxy, which sends its header first
 *     behind lazy proxy               the client connects through a proxy, which sends its header after the greeting
 *     without certificate             STARTTLS is not offered
 *     with credentials                AUTH signs in to an ad-hoc workspace
 *     whole                           packets must not be split or joined, for the reason in the remark above
 *     C: EHLO app.test                the client sends this line, ended by CRLF
 *     C| bytes                        the client sends exactly these bytes
 *     --                              end of a packet; otherwise, consecutive lines of the client share a packet
 *     S: 250-inbox.example.com               the server says this line, ended by CRLF; `*` stands for anything
 *     TLS                             the client performs the TLS handshake
 *     CLOSED                          the server has closed the connection without further output
 *     M: a@app.test -> x@inbox.example.com   a message was delivered: its sender, if any, and its recipients
 *     M| Subject: hello               a line of its content, ended by CRLF; without any, the content is not checked
 *     M=                              its content is empty
 *     M@ 192.0.2.7                    the message is counted for this client
 *
 * `C*3:` and `S*3:` mean three such lines. `\r`, `\n`, `\0`, `\\` and `\xE4` (a byte) are escapes. At the end, the
 * server must have sent nothing more than the file contains, and delivered no other message.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { limiterOf } from '../../src/limits/rate-limiter.js';
import type { TlsIdentity } from '../../src/tls/certificate.js';
import { RawClient } from './client.js';
import { startTestSmtp, type TestOptions, type TestSmtp } from './start.js';

const folder = new URL('./conversations/', import.meta.url);
const LOOPBACK = parseRange('127.0.0.0/8') as AddressRange;
const STEP = /^(?:(?<kind>[CSM])(?:\*(?<times>\d+))?(?<mark>[:|=@])|(?<word>--|TLS|CLOSED)$) ?(?<text>.*)$/;

/** Lines of a conversation that set options. */
const WORDS: Readonly<Record<string, TestOptions>> = {
  'without certificate': { tls: null },
  'with credentials': { adHocRate: limiterOf(null) },
};

export interface Step {
  readonly where: string;
  readonly kind: string;
  readonly times: number;
  readonly text: string;
}

export interface Conversation {
  readonly file: string;
  readonly title: string;
  readonly options: TestOptions;
  readonly steps: readonly Step[];
  /** Whether the conversation's packets may be split and joined. */
  readonly mayBeCut: boolean;
}

export function conversations(): Conversation[] {
  return readdirSync(folder).sort().map(read);
}

function read(file: string): Conversation {
  let mayBeCut = true;
  const options: Record<string, unknown> = {};
  const set: Record<string, unknown> = {};
  const steps: Step[] = [];
  const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    const where = `${file}:${index + 1}`;
    if (line === '' || line.startsWith('#')) continue;
    if (Object.hasOwn(WORDS, line)) {
      Object.assign(options, WORDS[line]);
      continue;
    }
    if (line === 'whole') {
      mayBeCut = false;
      continue;
    }
    const [isBehindProxy, lazy] = /^behind (lazy )?proxy$/.exec(line) ?? [];
    if (isBehindProxy) {
      set[lazy ? 'smtp-proxy-lazy' : 'smtp-proxy'] = [LOOPBACK];
      continue;
    }
    if (line.startsWith('with ')) {
      for (const [, name = '', value] of line.matchAll(/([\w-]+)=(\d+)/g)) set[name] = Number(value);
      continue;
    }
    steps.push(readStep(line, where));
  }
  return {
    file,
    title: (lines[0] ?? '').slice(2),
    options: { ...options, set },
    steps,
    mayBeCut,
  };
}

function readStep(line: string, where: string): Step {
  const { kind = '', times = '1', mark = '', word, text = '' } = STEP.exec(line)?.groups ?? {};
  if (kind === '' && word === undefined) throw new Error(`${where} is no line of a conversation: ${line}`);
  return { where, kind: word ?? kind + mark, times: Number(times), text };
}

function bytesOf(text: string): Buffer {
  const parts = text.split(/(\\(?:[rn0\\]|x[0-9A-Fa-f]{2}))/);
  const escapes: Record<string, number> = { r: 13, n: 10, '0': 0, '\\': 92 };
  return Buffer.concat(
    parts.map((part, index) => {
      if (index % 2 === 0) return Buffer.from(part);
      return Buffer.of(escapes[part.slice(1)] ?? Number.parseInt(part.slice(2), 16));
    }),
  );
}

function patternOf(text: string): RegExp {
  const literal = text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`);
}

export type Cut = (packet: Buffer) => readonly Buffer[];

/** Plays a conversation on a new server and connection. Fails if the server replies differently. */
export async function play({ options, steps }: Conversation, tls: TlsIdentity, cut: Cut): Promise<void> {
  const smtp = await startTestSmtp({ tls, ...options });
  try {
    const client = await RawClient.open(smtp.port);
    const player = new Player(smtp, client, cut);
    for (const step of steps) await player.play(step);
    await player.end();
    client.destroy();
  } finally {
    await smtp.stop(0);
  }
}

class Player {
  readonly #smtp: TestSmtp;
  readonly #client: RawClient;
  readonly #cut: Cut;
  readonly #packet: Buffer[] = [];
  #mails = 0;
  /** The content that the message of the last `M:` line must have. */
  #content: Buffer[] | null = null;

  constructor(smtp: TestSmtp, client: RawClient, cut: Cut) {
    this.#smtp = smtp;
    this.#client = client;
    this.#cut = cut;
  }

  async play(step: Step): Promise<void> {
    if (!step.kind.startsWith('C')) await this.#flush();
    if (step.kind !== 'M|') this.#checkContent(step.where);
    const bytes = bytesOf(step.text);
    for (let time = 0; time < step.times; time += 1) {
      if (step.kind === 'C:') this.#packet.push(bytes, Buffer.from('\r\n'));
      else if (step.kind === 'C|') this.#packet.push(bytes);
      else if (step.kind === 'S:') await this.#hear(step, patternOf(bytes.toString()));
      else if (step.kind === 'CLOSED') expect(await this.#client.line(), step.where).toBeNull();
      else if (step.kind === 'TLS') await this.#client.startTls();
      else this.#playMail(step, bytes);
    }
  }

  async #hear({ where }: Step, pattern: RegExp): Promise<void> {
    const line = await this.#client.line();
    // Compares first, because an assertion for each of thousands of lines would be slow.
    if (line === null || !pattern.test(line)) expect(line, where).toMatch(pattern);
  }

  #playMail(step: Step, bytes: Buffer): void {
    if (step.kind === 'M:') this.#checkEnvelope(step);
    else if (step.kind === 'M@') this.#checkClient(step);
    else if (step.kind === 'M=') this.#content = [Buffer.alloc(0)];
    else if (step.kind === 'M|') this.#content = [...(this.#content ?? []), bytes, Buffer.from('\r\n')];
  }

  async end(): Promise<void> {
    await this.#flush();
    this.#checkContent('the end');
    expect(this.#client.unread).toBe('');
    expect(this.#smtp.inbox.mails.length, 'mails delivered').toBe(this.#mails);
  }

  async #flush(): Promise<void> {
    const pieces = this.#cut(Buffer.concat(this.#packet.splice(0)));
    for (const piece of pieces) if (piece.length > 0) await this.#client.send(piece);
  }

  #checkEnvelope({ where, text }: Step): void {
    const mail = this.#smtp.inbox.mails[this.#mails];
    const recipients = mail?.recipients.map(({ to }) => to).join(' ');
    expect(`${mail?.envelopeFrom} -> ${recipients}`, where).toBe(text);
    this.#mails += 1;
  }

  #checkClient({ where, text }: Step): void {
    expect(this.#smtp.inbox.mails[this.#mails - 1]?.client, where).toBe(text);
  }

  #checkContent(where: string): void {
    if (this.#content === null) return;
    const raw = this.#smtp.inbox.mails[this.#mails - 1]?.raw ?? [];
    expect(Buffer.from(raw).toString('latin1'), `content of the mail before ${where}`).toBe(
      Buffer.concat(this.#content).toString('latin1'),
    );
    this.#content = null;
  }
}
