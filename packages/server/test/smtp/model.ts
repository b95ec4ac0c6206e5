/** A message that the model expects to be delivered. */
export interface ModelMail {
  readonly from: string;
  readonly recipients: number;
  readonly content: string;
}

/** Maximum recipients in the model, few enough for short dialogues to reach. */
export const MODEL_MAX_RECIPIENTS = 3;

const MAX_LINE = 16 * 1024;
const MAX_UNKNOWN = 10;

/** EHLO or HELO with one argument, such as `EHLO a.test`. */
const HELLO = /^(?:EHLO|HELO)[ \t]+\S+[ \t]*$/i;
const GOOD_MAIL = /^MAIL FROM:<([^<>\s]*@[^<>\s]+|)>((?: (?:SIZE=\d{1,20}|BODY=(?:7BIT|8BITMIME)|SMTPUTF8))*)$/i;
const UNKNOWN_PARAMETER = /^MAIL FROM:<[^<>\s]*@[^<>\s]+> X=1$/i;
const GOOD_RCPT = /^RCPT TO:<(?:[a-z0-9]+@inbox\.example\.com|postmaster)>$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Predicts the reply codes and delivered messages of a dialogue over loopback, line by line. Written from the RFCs,
 * independently of the server, for the lines of the fuzz test only.
 */
export class Model {
  readonly mails: ModelMail[] = [];
  /** Whether the server has closed the connection. */
  isClosed = false;
  #isSecure = false;
  #saidHello = false;
  #isAuthenticated = false;
  #sender: string | null = null;
  #recipients = 0;
  #content: string[] | null = null;
  #auth: 'token' | 'user' | 'password' | null = null;
  #unknown = 0;

  /** Returns the reply code for a line; null if the line is content. */
  line(text: string): number | null {
    if (this.#content !== null) return this.#contentLine(this.#content, text);
    const code = text.length > MAX_LINE ? 421 : this.#auth === null ? this.#command(text) : this.#credentials(text);
    this.isClosed = code === 421 || code === 221;
    return code;
  }

  /** Switches to TLS. */
  secure(): void {
    this.#isSecure = true;
    this.#saidHello = false;
    this.#isAuthenticated = false;
    this.#forget();
  }

  #contentLine(content: string[], text: string): number | null {
    if (text !== '.') {
      content.push(text.startsWith('.') ? text.slice(1) : text);
      return null;
    }
    this.mails.push({
      from: this.#sender ?? '',
      recipients: this.#recipients,
      content: content.map((line) => `${line}\r\n`).join(''),
    });
    this.#content = null;
    this.#unknown = 0;
    this.#forget();
    return 250;
  }

  #command(text: string): number {
    const [verb = '', argument] = text.trimEnd().split(/[ \t]+/);
    const known = this.#answers[verb.toUpperCase()];
    if (known !== undefined) return known(text, argument);
    if (/^[A-Z]+ .*HTTP\//.test(text)) return 421;
    this.#unknown += 1;
    return this.#unknown < MAX_UNKNOWN ? 500 : 421;
  }

  readonly #answers: Readonly<Record<string, (text: string, argument: string | undefined) => number>> = {
    __proto__: null as never,
    EHLO: (text) => this.#hello(text),
    HELO: (text) => this.#hello(text),
    NOOP: () => 250,
    HELP: () => 214,
    VRFY: (_, argument) => (argument === undefined ? 501 : 252),
    QUIT: (_, argument) => (argument === undefined ? 221 : 501),
    RSET: (_, argument) => {
      if (argument !== undefined) return 501;
      this.#forget();
      return 250;
    },
    STARTTLS: (_, argument) => (argument !== undefined ? 501 : this.#isSecure ? 503 : 220),
    MAIL: (text) => (this.#saidHello ? this.#mail(text) : 503),
    RCPT: (text) => (this.#saidHello ? this.#rcpt(text) : 503),
    DATA: (_, argument) => {
      if (!this.#saidHello) return 503;
      if (argument !== undefined) return 501;
      if (this.#recipients === 0) return 503;
      this.#content = [];
      return 354;
    },
    AUTH: (text) => {
      if (!this.#saidHello || this.#isAuthenticated || this.#sender !== null) return 503;
      const [, mechanism = '', initial, more] = text.split(' ');
      if (!/^(?:PLAIN|LOGIN)$/.test(mechanism)) return 504;
      if (more !== undefined) return 501;
      this.#auth = mechanism === 'PLAIN' ? 'token' : 'user';
      return initial === undefined ? 334 : this.#credentials(initial === '*' ? '%' : initial);
    },
  };

  #hello(text: string): number {
    if (!HELLO.test(text)) return 501;
    this.#saidHello = true;
    this.#forget();
    return 250;
  }

  #mail(text: string): number {
    if (this.#sender !== null) return 503;
    if (UNKNOWN_PARAMETER.test(text)) return 555;
    const [, sender, parameters = ''] = GOOD_MAIL.exec(text) ?? [];
    if (sender === undefined) return 501;
    if (Number(/SIZE=(\d+)/.exec(parameters)?.[1] ?? 0) > 1e7) return 552;
    this.#sender = sender;
    return 250;
  }

  #rcpt(text: string): number {
    if (!/^RCPT TO:<[^<>\s]*>$/i.test(text)) return 501;
    if (this.#sender === null) return 503;
    if (/<>/.test(text)) return 501;
    if (text.includes('@other.test')) return 550;
    if (!GOOD_RCPT.test(text)) return 553;
    if (this.#recipients === MODEL_MAX_RECIPIENTS) return 452;
    this.#recipients += 1;
    return 250;
  }

  #credentials(text: string): number {
    const step = this.#auth;
    this.#auth = null;
    if (!BASE64.test(text)) return 501;
    if (step === 'user' && text === '') return 501;
    if (step === 'token' && Buffer.from(text, 'base64').filter((byte) => byte === 0).length !== 2) return 501;
    if (step === 'user') this.#auth = 'password';
    else this.#isAuthenticated = true;
    return step === 'user' ? 334 : 235;
  }

  #forget(): void {
    this.#sender = null;
    this.#recipients = 0;
  }
}
