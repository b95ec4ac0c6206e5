import { type SmtpError, smtpErrors } from '../errors.js';

/** How many connections are open, in all and of each client (design D13). */
export class Connections {
  readonly #max: number;
  readonly #maxPerClient: number;
  readonly #byClient = new Map<string, number>();
  #open = 0;

  constructor(max: number, maxPerClient: number) {
    this.#max = max;
    this.#maxPerClient = maxPerClient;
  }

  /** Counts a connection of a client, or answers why it is one too many. */
  open(client: string): SmtpError | null {
    if (this.#open >= this.#max) return smtpErrors.allConnectionsTaken;
    const ofClient = this.#byClient.get(client) ?? 0;
    if (ofClient >= this.#maxPerClient) return smtpErrors.tooManyConnections;
    this.#byClient.set(client, ofClient + 1);
    this.#open += 1;
    return null;
  }

  /** Counts out a connection that `open` counted. */
  close(client: string): void {
    const left = (this.#byClient.get(client) ?? 0) - 1;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
    this.#open -= 1;
  }
}
