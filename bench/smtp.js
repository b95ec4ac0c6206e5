// An SMTP client small enough not to distort measurements.
import { connect } from 'node:net';
import { GAVE_UP } from './http.js';

const PATIENCE_MS = 30_000;

/** The error for a 4xx or 5xx reply. */
export class RefusedError extends Error {
  constructor(reply) {
    super(reply);
    this.code = Number(reply.slice(0, 3));
  }
}

/** Sends a message over a new connection. Rejects with `RefusedError` for 4xx and 5xx. No line may begin with a dot. */
export async function deliver(service, mail, recipients, options = {}) {
  const connection = new SmtpConnection(service, options);
  try {
    await connection.greet();
    await connection.send(mail, recipients);
  } finally {
    connection.close();
  }
}

/** A connection, which may send several messages. */
export class SmtpConnection {
  #socket;
  #unread = '';
  #error = null;
  #wake = () => {};
  #tooLate;

  /** `localAddress` is the client's address; `timeoutMs` bounds the whole connection. */
  constructor({ host, smtpPort }, { localAddress, timeoutMs = PATIENCE_MS } = {}) {
    this.#socket = connect({ host, port: smtpPort, localAddress, noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text) => {
      this.#unread += text;
      this.#wake();
    });
    const fail = (error) => {
      this.#error ??= error;
      this.#wake();
    };
    this.#socket.on('error', fail);
    this.#socket.on('close', () => fail(new Error('closed')));
    this.#tooLate = setTimeout(() => this.#socket.destroy(new Error(GAVE_UP)), timeoutMs);
  }

  async greet() {
    await this.reply();
    this.#socket.write('EHLO bench.test\r\n');
    await this.reply();
  }

  async send(mail, recipients) {
    await this.begin(recipients);
    this.write(mail);
    this.write('\r\n.\r\n');
    await this.reply();
  }

  /** Sends the commands up to DATA. Resolves once the server has replied 354 to DATA. */
  async begin(recipients) {
    const commands = recipients.map((recipient) => `RCPT TO:<${recipient}>\r\n`);
    this.write(`MAIL FROM:<app@bench.test>\r\n${commands.join('')}DATA\r\n`);
    for (let reply = 0; reply < commands.length + 2; reply++) await this.reply();
  }

  /** Resolves once the operating system has accepted the bytes, or the connection has ended. */
  write(bytes) {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  close() {
    clearTimeout(this.#tooLate);
    this.#socket.destroy();
  }

  /** Resolves to the last line of the next reply (RFC 5321 section 4.2). */
  async reply() {
    for (;;) {
      const line = this.#line();
      if (line === null) {
        if (this.#error !== null) throw this.#error;
        await new Promise((resolve) => {
          this.#wake = resolve;
        });
      } else if (/^[45]/.test(line)) {
        throw new RefusedError(line);
      } else if (line[3] !== '-') {
        return line;
      }
    }
  }

  #line() {
    const end = this.#unread.indexOf('\r\n');
    if (end < 0) return null;
    const line = this.#unread.slice(0, end);
    this.#unread = this.#unread.slice(end + 2);
    return line;
  }
}
