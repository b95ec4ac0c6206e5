import {
  type Addressee,
  type App,
  addRawRoutes,
  errorText,
  firstDomain,
  INBOX_FIELDS,
  notStoredErrors,
  type PluginHost,
  type Request,
  RequestError,
  reading,
  recipientErrors,
  rowName,
  type Service,
  type SmtpError,
  StoreAwayError,
} from 'mayfly-inbox/plugin';
import { countMail, SentBodies } from 'mayfly-plugins-shared/sent-bodies';
import type { ImportResponse } from 'mayfly-protocol';
import { ERRORS } from './errors.js';

const INPUT = reading({
  path: INBOX_FIELDS,
  query: {
    file: {
      schema: {
        type: 'string',
        pattern: '^[^\\u0000-\\u001f\\u007f]{1,200}$',
        description: 'Name of the file that the message is from. The parsed contents show it in `sendApi`.',
        examples: ['welcome.eml'],
      },
      rule: 'use it once, with 1 to 200 characters',
    },
  },
});

interface ImportRoute {
  Params: { name: string };
  Querystring: { file?: string };
}

/** `POST /api/inbox/{name}/import`, for callers on a machine that no other machine can reach. */
export function addImportRoute(app: App, service: Service, settings: PluginHost['settings']): void {
  const bodies = new SentBodies(app, service);
  const bounded = bodies.upTo(settings['max-message']);
  const onRequest = async (request: Request) => {
    // Throws if the caller may not open the inbox.
    service.access.inboxOf(request as Request<ImportRoute['Params']>);
    if (!service.viewers.areHere(request)) throw new RequestError(ERRORS.importElsewhere);
    await countMail(request, service);
    await bounded.onRequest(request);
  };
  addRawRoutes(app, (raw) =>
    raw.post<ImportRoute>(
      '/api/inbox/:name/import',
      { ...INPUT.options('read'), ...bounded, onRequest },
      async (request, reply): Promise<ImportResponse> => {
        const { mail } = service;
        const { name } = request.params;
        const address = name.includes('@') ? name : `${name}@${firstDomain(settings.domain)}`;
        const recipient = mail.recipientOf(address, request.caller.adHoc);
        if (typeof recipient === 'string') throw notImported(recipientErrors[recipient]);
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        request.body = undefined;
        if (body.length === 0) throw new RequestError(ERRORS.importEmpty);
        const taken = await attempted(request, service, recipient, body);
        if (taken.ending) await bodies.end(request, reply, [taken.ending]);
        return { receivedAt: new Date(taken.receivedAt[0] ?? 0).toISOString() };
      },
    ),
  );
}

/** Delivers a message, and records the outcome in the delivery log as SMTP does (D60). */
async function attempted(request: Request, service: Service, recipient: Addressee, raw: Uint8Array) {
  const { attempts, clock, mail } = service;
  const { client, adHoc } = request.caller;
  const { file = null } = request.query as ImportRoute['Querystring'];
  const path = request.url.split('?', 1)[0] ?? '';
  const sendApi = { provider: 'import', id: '', request: `POST ${path}`, body: file && { file }, notes: [] };
  const attempt = attempts.begin({ way: 'import', client, from: '', adHoc });
  attempt.recipient(recipient.written ?? recipient.to, null);
  try {
    const refusal = await mail.refusalOf?.(recipient, '', 'data');
    if (refusal) throw notImported(refusal);
    const envelope = { client, envelopeFrom: '', recipients: [recipient], receivedAt: clock.now() };
    const taken = await mail.deliver({ ...envelope, raw, sendApi });
    if (!taken.stored) throw notImported(taken.reason === 'rehearsed' ? taken.error : notStoredErrors[taken.reason]);
    attempt.kept(taken.receivedAt);
    return taken;
  } catch (error) {
    if (error instanceof NotImported) attempt.refused(error.told);
    if (error instanceof StoreAwayError) {
      attempt.refused({ name: 'store-away', code: 503, enhanced: null, text: error.message });
    }
    throw error;
  } finally {
    attempt.end();
  }
}

const notImported = (error: SmtpError) => new NotImported(error);

/** The error for a message that SMTP would reject with this reply. */
class NotImported extends RequestError {
  readonly told;

  constructor(error: SmtpError) {
    const { code, enhanced } = error;
    super(ERRORS.notImported, { reason: `${code} ${enhanced} ${errorText(error)}` });
    this.told = { name: rowName(error), code: this.status, enhanced: null, text: this.message };
  }
}
