import type { App, Request, Viewer } from 'mayfly-inbox/plugin';
import type { Message } from 'mayfly-plugins-shared/all-inboxes';
import { json } from 'mayfly-plugins-shared/sending/answer';
import type { Desk } from 'mayfly-plugins-shared/sending/desk';
import { refuse } from 'mayfly-plugins-shared/sending/problem';
import { isPhoneNumber, phoneNumber } from 'mayfly-protocol/inbox-name';
import { segmentsOf } from './segments.js';
import { messageIdOf, textIn } from './text.js';

export const ROOT = '/2010-04-01/Accounts/:sid';

const SID = /^SM([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;
const PAGE = 50;
const MAX_PAGE = 1_000;
const LAST_PAGE = 1_000_000;
const GONE = 'No text has this SID. It may have expired.';

interface SentText {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly at: number;
}

type Query = Readonly<Record<string, string | undefined>>;

/** A message resource of Twilio (twilio.com/docs/messaging/api/message-resource). */
export function resource({ id, from, to, body, at }: SentText, request: Request) {
  const { sid } = request.params as Readonly<Record<string, string>>;
  const date = new Date(at).toUTCString().replace('GMT', '+0000');
  const uri = `/2010-04-01/Accounts/${sid}/Messages/${id}`;
  return {
    ...{ account_sid: sid, api_version: '2010-04-01', body },
    ...{ date_created: date, date_sent: date, date_updated: date, direction: 'outbound-api' },
    ...{ error_code: null, error_message: null, from, messaging_service_sid: null, num_media: '0' },
    ...{ num_segments: String(segmentsOf(body)), price: null, price_unit: 'USD', sid: id, status: 'delivered' },
    ...{ subresource_uris: { media: `${uri}/Media.json` }, to, uri: `${uri}.json` },
  };
}

/** Fetches, deletes and lists texts that were sent with Twilio's API. */
export function addSentTexts(api: App, desk: Desk): void {
  const { host, sent } = desk;

  async function found(request: Request<{ id: string }>): Promise<Message> {
    const id = request.params.id.replace(/\.json$/, '');
    const uuid = SID.exec(id)?.slice(1).join('-') ?? '';
    const detail = `The requested resource ${request.url.split('?', 1)[0]?.slice(0, 200)} was not found`;
    return (await sent.message(request, uuid, messageIdOf(id)))?.message ?? refuse('not-found', { detail, hint: GONE });
  }

  async function textOf(message: Message): Promise<SentText | null> {
    const [email] = message.emails;
    if (email === undefined || !isPhoneNumber(email.to)) return null;
    const record = await sent.all.record(message);
    const id = record?.id.slice(1).split('@', 1)[0] ?? '';
    if (record === null || !SID.test(id)) return null;
    return { id, from: record.envelopeFrom, to: email.to, body: textIn(record.beginning), at: email.receivedAt };
  }

  async function listed(request: Request, viewer: Viewer, { To }: Query): Promise<readonly Message[]> {
    // Without a number, the list reveals the names of all inboxes.
    if (To === undefined) {
      host.viewers.check(request, 'with a key. Name a number with To.');
      return sent.all.list(viewer);
    }
    const number = phoneNumber(To);
    const adHoc = request.caller.adHoc;
    return number === null ? [] : sent.all.listFor(host.records.phoneRecipient(number, adHoc), viewer);
  }

  desk.addFinding(api, `${ROOT}/Messages/:id`, async (request) => {
    const text = (await textOf(await found(request))) ?? refuse('not-found', { hint: GONE });
    return json(200, resource(text, request));
  });

  const remove = async (request: Request<{ id: string; domain: string }>) => {
    await sent.all.clear(await found(request), host.viewers.viewerOf(request));
    return { status: 204, body: '' };
  };
  desk.addFinding(api, `${ROOT}/Messages/:id`, remove, 'DELETE');

  desk.addFinding(api, `${ROOT}/Messages.json`, async (request) => {
    // Of a repeated parameter, the last value counts.
    const query = Object.fromEntries(new URLSearchParams(request.url.split('?')[1]));
    const viewer = host.viewers.viewerOf(request);
    const size = Math.min(Math.max(Math.trunc(Number(query.PageSize)) || PAGE, 1), MAX_PAGE);
    const page = Math.min(Math.max(Math.trunc(Number(query.Page)) || 0, 0), LAST_PAGE);
    const shown: SentText[] = [];
    let count = 0;
    for (const message of await listed(request, viewer, query)) {
      if (viewer.leaving.aborted || count > (page + 1) * size) break;
      const text = await textOf(message);
      if (text === null || !isAsked(text, query)) continue;
      count += 1;
      if (count > page * size && count <= (page + 1) * size) shown.push(text);
    }
    const uriOf = (at: number) => {
      const [path] = request.url.split('?', 1);
      return `${path}?${new URLSearchParams({ ...query, Page: String(at) })}`;
    };
    return json(200, {
      messages: shown.map((text) => resource(text, request)),
      ...{ page, page_size: size, start: page * size, end: page * size + Math.max(shown.length - 1, 0) },
      ...{ uri: uriOf(page), first_page_uri: uriOf(0), previous_page_uri: page > 0 ? uriOf(page - 1) : null },
      next_page_uri: count > (page + 1) * size ? uriOf(page + 1) : null,
    });
  });
}

function isAsked({ from, at }: SentText, { From, ...query }: Query): boolean {
  const day = new Date(at).toISOString().slice(0, 10);
  const dayOf = (name: string, otherwise: string) => query[name]?.slice(0, 10) ?? otherwise;
  const isOfDay = day === dayOf('DateSent', day) && day <= dayOf('DateSent<', day) && day >= dayOf('DateSent>', day);
  return isOfDay && (From === undefined || from === (phoneNumber(From) ?? From));
}
