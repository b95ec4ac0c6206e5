import type { Calls } from './calls.js';
import type { EmailAttachment, EmailLinks } from './email.js';
import type { InboxApi } from './inbox-api.js';
import { FoundLinks } from './links.js';
import type { EmailCode, EmailParts, Explanation, HeaderField, MimePart } from './wire.js';

/** What the message of one email holds, read when it is first asked for. */
export class Contents {
  readonly #api: InboxApi;
  readonly #calls: Calls;
  readonly #receivedAt: string;
  #parts: Promise<EmailParts> | null = null;

  constructor(api: InboxApi, calls: Calls, receivedAt: string) {
    this.#api = api;
    this.#calls = calls;
    this.#receivedAt = receivedAt;
  }

  /** Reads it now, in one try: what is asked for afterwards is at hand. */
  async load(signal: AbortSignal): Promise<EmailParts> {
    const parts = await this.#api.parts(this.#receivedAt, signal);
    this.#parts = Promise.resolve(parts);
    return parts;
  }

  async html(): Promise<string | null> {
    return (await this.#read()).html;
  }

  async links(): Promise<EmailLinks> {
    return FoundLinks.from((await this.#read()).links) as FoundLinks;
  }

  async codes(): Promise<readonly EmailCode[]> {
    return (await this.#read()).codes;
  }

  async headers(): Promise<readonly HeaderField[]> {
    return (await this.#read()).headers;
  }

  async attachments(): Promise<EmailAttachment[]> {
    return (await this.#read()).parts.filter(({ attachment }) => attachment).map((part) => this.#attachment(part));
  }

  explain(): Promise<Explanation> {
    return this.#calls.tried((signal) => this.#api.explanation(this.#receivedAt, signal));
  }

  #attachment({ path, filename, type, size, charset }: MimePart): EmailAttachment {
    const bytes = async () => {
      const content = await this.#calls.tried((signal) => this.#api.part(this.#receivedAt, path, signal));
      return new Uint8Array(await content.arrayBuffer());
    };
    const text = async () => {
      const content = await bytes();
      try {
        return new TextDecoder(charset ?? 'utf-8').decode(content);
      } catch {
        // Its sender has named a charset that nobody knows.
        return new TextDecoder().decode(content);
      }
    };
    return { name: filename ?? `part-${path}`, type, size: size ?? 0, bytes, text };
  }

  /** A failure is not kept: the next call tries again. */
  #read(): Promise<EmailParts> {
    this.#parts ??= this.#calls
      .tried((signal) => this.#api.parts(this.#receivedAt, signal))
      .catch((error) => {
        this.#parts = null;
        throw error;
      });
    return this.#parts;
  }
}
