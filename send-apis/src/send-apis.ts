import {
  type App,
  addRawRoutes,
  type Extension,
  httpErrors,
  RequestError,
  type SendApi,
  SentBodies,
  type Settings,
} from '../../server/dist/extension/extension.js';
import { type Answer, sendAnswer } from './answer.js';
import { Desk, SEND } from './desk.js';
import { mailgun } from './mailgun/mailgun.js';
import { postmark } from './postmark/postmark.js';
import { type Problem, ProblemError, type ProblemKind } from './problem.js';
import type { Provider } from './provider.js';
import { resend } from './resend/resend.js';
import { sendgrid } from './sendgrid/sendgrid.js';
import { SentMail } from './sent-mail.js';
import { sesV1Provider } from './ses/ses-v1.js';
import { sesV2Provider } from './ses/ses-v2.js';

const PROVIDERS: Readonly<Record<SendApi, readonly Provider[]>> = {
  resend: [resend],
  sendgrid: [sendgrid],
  postmark: [postmark],
  ses: [sesV2Provider, sesV1Provider],
  mailgun: [mailgun],
};

/** The send APIs of these providers, at their own paths. */
export function openSendApis(settings: Settings, names: readonly SendApi[]): Extension {
  return {
    root: '',
    webSocketPath: null,
    addRoutes(api, host) {
      const shared = { host, settings, bodies: new SentBodies(api, host), sent: new SentMail(host) };
      for (const provider of names.flatMap((name) => PROVIDERS[name])) {
        const statusOf = (problem: Problem) => provider.answer(problem).status;
        addProvider(api, provider, new Desk({ ...shared, statusOf }));
      }
    },
  };
}

function addProvider(api: App, provider: Provider, desk: Desk): void {
  addRawRoutes(api, (raw) => {
    raw.setErrorHandler((error: Error, _request, reply) => {
      const told = answerOf(error, provider);
      // What is our fault is logged as that of every other route.
      if (told === null) throw error;
      reply.headers(hintsOf(error));
      return sendAnswer(reply, told);
    });
    // A web page of another site must not send, wherever the service listens.
    raw.addHook('onRequest', async (request) => desk.host.checkPage(request));
    provider.addRoutes(raw, desk);
    for (const root of provider.roots) addUnknown(raw, root);
  });
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Every other path below a root, and every other method of it, in the provider's shape. */
function addUnknown(raw: App, root: string): void {
  const handler = () => {
    throw new RequestError(httpErrors.notFound);
  };
  for (const url of [root, `${root}/*`]) {
    const method = METHODS.filter((one) => !raw.hasRoute({ method: one as 'GET', url }));
    raw.route({ method, url, ...SEND, handler });
  }
}

function answerOf(error: Error, provider: Provider): Answer | null {
  if (error instanceof ProblemError) return provider.answer(error.problem);
  if (error instanceof RequestError) return provider.answer(problemOf(error));
  const { statusCode = 500 } = error as { statusCode?: number };
  if (statusCode === 413) return provider.answer({ kind: 'too-large' });
  return statusCode >= 400 && statusCode < 500 ? provider.answer({ kind: 'malformed' }) : null;
}

/** The errors of the table that have a kind of their own; others are told by their status. */
const BY_STATUS: Readonly<Record<number, ProblemKind>> = {
  400: 'forbidden',
  403: 'forbidden',
  404: 'not-found',
  405: 'method',
  413: 'too-large',
  415: 'media-type',
  429: 'rate',
  503: 'unavailable',
};

function problemOf({ status, message }: RequestError): Problem {
  const kind = BY_STATUS[status] ?? 'internal';
  // The provider has words of its own for an unknown path.
  return kind === 'not-found' ? { kind } : { kind, detail: message };
}

/** Our own code and sentence stand in headers, for the body has the provider's words. */
function hintsOf(error: Error): Readonly<Record<string, string>> {
  if (error instanceof ProblemError) {
    const { detail } = error.problem;
    return detail !== undefined && /^[ -~]+$/.test(detail) ? { 'mayfly-hint': detail } : {};
  }
  if (!(error instanceof RequestError)) return {};
  const { 'mayfly-error': code = '', 'retry-after': after, connection } = error.headers;
  return {
    'mayfly-error': code,
    'mayfly-hint': error.message,
    ...(after !== undefined && { 'retry-after': after }),
    ...(connection !== undefined && { connection }),
  };
}
