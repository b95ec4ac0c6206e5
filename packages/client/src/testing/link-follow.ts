import { STANDARD_TIMEOUT_MS } from '../wait/bounds.js';
import { Deadline } from '../wait/deadline.js';
import { MayflyOptionError } from '../wait/errors.js';
import { aListOfTexts, aTime, checkOptions } from '../wait/options.js';
import { type LinkAnswer, type LinkCookie, MayflyLinkError, shownUrl } from './link-report.js';
import { checkPlatform, isWebAddress, visit } from './link-visit.js';

export interface FollowLinkOptions {
  /** Hosts that redirects may lead to besides the link's own, such as `app.example` or `127.0.0.1:3000`. */
  readonly hosts?: readonly string[] | undefined;
  /** Maximum time in milliseconds; 20 s by default. */
  readonly timeout?: number | undefined;
}

/** Where a link led. */
export interface FollowedLink {
  /** The address and the status of the last answer. */
  readonly url: string;
  readonly status: number;
  /** Every answer, in order. */
  readonly answers: readonly LinkAnswer[];
  /** The cookies that all of them set. */
  readonly cookies: readonly LinkCookie[];
  /** The visible text of the first 64 KiB of the last page. */
  readonly text: string;
}

const AGENT = 'mayfly-client';

const hostNames = {
  text: "an array of hosts, such as 'app.example' or '127.0.0.1:3000'",
  allows: (value: unknown) =>
    aListOfTexts.allows(value) &&
    (value as string[]).every((host) => /^[^/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`)),
};

/** Compared as an address has it: a name in any script and case, and the port only if it is not that of the scheme. */
const isHost = (host: string, { protocol, host: actual }: URL) => new URL(`${protocol}//${host}`).host === actual;

/**
 * Opens a link and follows its redirects, with GET and without cookies: only to http and https, never from https to
 * http, and only to the link's own host or one of `hosts`. Node only. Resolves whatever the last status is. Rejects
 * with `MayflyLinkError` for any other redirect, and if no whole answer comes.
 */
export async function followLink(link: string, options: FollowLinkOptions = {}): Promise<FollowedLink> {
  checkOptions('followLink', options, { hosts: hostNames, timeout: aTime });
  checkPlatform('followLink');
  if (typeof link !== 'string' || !isWebAddress(link)) {
    throw new MayflyOptionError('followLink: the link must be an http or https address.');
  }
  const { hosts = [], timeout = STANDARD_TIMEOUT_MS } = options;
  const isAllowed = (to: URL) => to.host === new URL(link).host || hosts.some((host) => isHost(host, to));
  const refusal = (from: URL, to: URL) => {
    if (from.protocol === 'https:' && to.protocol === 'http:') return 'http after https would show its secret.';
    return isAllowed(to) ? null : `another host. If that is right, name it: hosts: ['${to.host}'].`;
  };
  const time = new Deadline(timeout);
  const plan = { method: 'GET', agent: AGENT, signal: time.signal, refusal } as const;
  const { answers, cookies, error, text } = await visit(link, plan);
  time.end();
  const last = answers.at(-1);
  if (error !== null || last === undefined) {
    throw new MayflyLinkError(`followLink: ${shownUrl(link)} was not followed to its end: ${error}`, { answers });
  }
  return { url: last.url, status: last.status, answers, cookies, text };
}
