/** What the reply to EHLO depends on. */
export interface Offer {
  readonly startTls: boolean;
  readonly auth: boolean;
}

/** The replies to EHLO (RFC 5321 section 4.1.1.1), made once: what differs is whether STARTTLS and AUTH are offered. */
export class Extensions {
  readonly #replies: readonly string[];

  constructor(hostname: string, maxMessageBytes: number) {
    this.#replies = [false, true].flatMap((startTls) =>
      [false, true].map((auth) => {
        const lines = [hostname, 'PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES'];
        if (auth) lines.push('AUTH PLAIN LOGIN');
        if (startTls) lines.push('STARTTLS');
        return [...lines.map((line) => `250-${line}`), `250 SIZE ${maxMessageBytes}`, ''].join('\r\n');
      }),
    );
  }

  /** The whole reply, as it goes over the wire. */
  reply({ startTls, auth }: Offer): string {
    return this.#replies[(startTls ? 2 : 0) + (auth ? 1 : 0)] as string;
  }
}
