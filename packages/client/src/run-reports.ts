import {
  FIRST_PAUSE_MS,
  LEAST_PAUSE_MS,
  MAX_REPORT_BYTES,
  MAX_REPORT_TRIES,
  MAX_REPORTED_AT_ONCE,
  MAX_UNREPORTED,
  MOST_REPORT_PAUSE_MS,
  REPORT_TIMEOUT_MS,
} from './bounds.js';
import { oneFetch } from './one-fetch.js';
import { clearTimeout, setTimeout } from './real-time.js';
import type { Settings } from './settings.js';
import type { ReportedTest } from './wire-runs.js';

/** What has a state to report. */
export interface Reportable {
  readonly id: string;
  /** Its state now, with texts cut to a length. */
  report(maxTextChars: number): ReportedTest;
}

/** How long the texts of a report may be: as long as the service keeps them, and shorter where that is too much. */
const TEXT_CHARS = [2_000, 500, 100];

/** Of Node: Jest's jsdom has no TextEncoder. */
const { Buffer } = globalThis as unknown as { Buffer: { byteLength(text: string): number } };

/**
 * Reports the tests of a run to its service, one request at a time: what changes meanwhile goes into the next one. No
 * test waits for it, and nothing of it fails one: where the service does not take reports, they end silently.
 */
export class RunReports {
  readonly #settings: Settings;
  readonly #url: string;
  /** By id, the state that is not reported yet. */
  readonly #unreported = new Map<string, Reportable>();
  #sending: Promise<void> | null = null;
  #isOver = false;
  /** Whether the service has taken a report. */
  isHeard = false;

  constructor(settings: Settings, secret: string) {
    this.#settings = settings;
    this.#url = `${settings.baseUrl}/api/run/${secret}`;
  }

  /** The state of a test has changed. */
  changed(test: Reportable): void {
    if (this.#isOver) return;
    this.#unreported.set(test.id, test);
    if (this.#unreported.size > MAX_UNREPORTED) {
      const [oldest = ''] = this.#unreported.keys();
      this.#unreported.delete(oldest);
    }
    this.#sending ??= this.#send();
  }

  /** Resolves when everything is reported, or the time is over: then to false. */
  async reported(timeoutMs: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const time = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([this.#sending, time]);
    clearTimeout(timer);
    return this.#sending === null;
  }

  /** Gives up: a service that does not answer would delay the end of every file. */
  end(): void {
    this.#isOver = true;
    this.#unreported.clear();
  }

  async #send(): Promise<void> {
    let failures = 0;
    while (this.#unreported.size > 0) {
      const [tests, body] = this.#next();
      const pauseMs = await this.#post(body);
      if (pauseMs === null) {
        failures = 0;
        continue;
      }
      failures += 1;
      if (pauseMs > MOST_REPORT_PAUSE_MS || failures >= MAX_REPORT_TRIES) this.end();
      if (this.#isOver) break;
      for (const test of tests) if (!this.#unreported.has(test.id)) this.#unreported.set(test.id, test);
      await new Promise((resolve) => setTimeout(resolve, pauseMs * failures));
    }
    this.#sending = null;
  }

  /** As many tests as one request takes, and its body. */
  #next(): [Reportable[], string] {
    const tests: Reportable[] = [];
    const reports: string[] = [];
    let bytes = 0;
    for (const test of this.#unreported.values()) {
      const report = smallReport(test);
      bytes += Buffer.byteLength(report) + 1;
      if (tests.length > 0 && (bytes > MAX_REPORT_BYTES || tests.length >= MAX_REPORTED_AT_ONCE)) break;
      tests.push(test);
      reports.push(report);
      this.#unreported.delete(test.id);
    }
    return [tests, `{"tests":[${reports.join()}]}`];
  }

  /** Resolves to null if the service took it, and otherwise to when to try again, which is never where it refuses. */
  async #post(body: string): Promise<number | null> {
    const { workspace, space, fetch } = this.#settings;
    const key = space || workspace?.key;
    const headers = {
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
    };
    try {
      const signal = AbortSignal.timeout(REPORT_TIMEOUT_MS);
      const response = await oneFetch(this.#url, { method: 'POST', headers, body }, signal, fetch);
      await response.arrayBuffer();
      const { status } = response;
      if (response.ok) {
        this.isHeard = true;
        return null;
      }
      if (status !== 429 && status !== 503) return Number.POSITIVE_INFINITY;
      return Math.max(LEAST_PAUSE_MS, Number(response.headers.get('retry-after')) * 1_000);
    } catch {
      return FIRST_PAUSE_MS;
    }
  }
}

function smallReport(test: Reportable): string {
  const texts = TEXT_CHARS.map((chars) => () => JSON.stringify(test.report(chars)));
  for (const text of texts) {
    const report = text();
    if (Buffer.byteLength(report) <= MAX_REPORT_BYTES) return report;
  }
  // Addresses and a title alone are never that long.
  return JSON.stringify(test.report(0));
}
