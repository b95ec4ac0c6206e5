import type { Field } from '../faults.js';
import { base64, READER, type Signing, type WebhookPost } from '../webhook-event.js';
import { sendgridSigner } from '../webhook-sendgrid.js';
import { mailgunSigner, resendSigner } from '../webhook-writers.js';
import { type Contents, type FormField, fieldLine, formOf, type Person, shownPerson } from './mime.js';

/** An email on its way into the application. */
export interface InboundMail extends Contents {
  readonly uuid: string;
  readonly at: Date;
  readonly from: Person;
  readonly to: readonly Person[];
  readonly cc: readonly Person[];
  readonly replyTo: readonly Person[];
  readonly subject: string;
  /** The Message-ID with its angle brackets. */
  readonly messageId: string;
  /** Text and HTML without the quoted email. */
  readonly own: Pick<Contents, 'text' | 'html'>;
  readonly isReply: boolean;
  readonly spamScore: number;
  /** The header in order, decoded; `encoded` is the same as the message has it. */
  readonly fields: readonly Field[];
  readonly encoded: readonly Field[];
  /** Writes the message, which few posts contain. */
  readonly raw: () => string;
}

/** An email as Resend's API returns it for `GET /emails/receiving/{id}`, and `id`. */
export interface InboundResendEmail extends Readonly<Record<string, unknown>> {
  readonly id: string;
}

export interface InboundSettings {
  readonly secret: string | undefined;
  /** Whether the provider posts the message as it arrived. */
  readonly isRaw: boolean;
  readonly onReceived: ((email: InboundResendEmail) => void) | undefined;
}

type Write = (mail: InboundMail, signing: Signing) => Promise<WebhookPost<string | Uint8Array>>;

const CALL = 'inbound()';
const SPAM_SCORE = 5;

/** Headers that Postmark and Resend return only as fields. */
const FIELDS = ['From', 'To', 'Cc', 'Reply-To', 'Subject'];

const linesOf = (fields: readonly Field[]) => fields.map((field) => `${fieldLine(field)}\r\n`).join('');
const addresses = (people: readonly Person[]) => people.map(({ address }) => address);
const shown = (people: readonly Person[]) => people.map(shownPerson).join(', ');
export const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);
const recipientOf = ({ to }: InboundMail) => to[0]?.address ?? '';
const isSpam = ({ spamScore }: InboundMail) => (spamScore >= SPAM_SCORE ? 'Yes' : 'No');

/** The providers, and how each posts an email. */
export const INBOUND = {
  sendgrid: sendgridInbound,
  mailgun: mailgunInbound,
  postmark: postmarkInbound,
  resend: resendInbound,
  cloudflare: cloudflareInbound,
} satisfies Record<string, (settings: InboundSettings) => Write>;

/** Inbound Parse (twilio.com/docs/sendgrid/for-developers/parsing-email/setting-up-the-inbound-parse-webhook). */
function sendgridInbound({ secret, isRaw }: InboundSettings): Write {
  const sign = sendgridSigner(secret, CALL);
  return async (mail, signing) => {
    const { raw, subject, spamScore, from, to, cc, text, html, files } = mail;
    const named = files.map((file, index) => [`attachment${index + 1}`, file] as const);
    const info = named.map(([name, { filename, type, cid }]) => {
      return [name, { filename, name: filename, type, ...(cid !== null && { 'content-id': cid }) }];
    });
    const ids = named.flatMap(([name, { cid }]) => (cid === null ? [] : [[cid, name]]));
    const contents: FormField[] = [
      ['headers', linesOf(mail.encoded)],
      ['attachments', `${files.length}`],
      ...optional('text', text),
      ...optional('html', html),
      ...(named.length === 0 ? [] : ([['attachment-info', json(info)]] as const)),
      ...(ids.length === 0 ? [] : ([['content-ids', json(ids)]] as const)),
      ...named,
    ];
    const charsets = ['to', 'from', 'subject', ...(cc.length ? ['cc'] : []), ...(text === null ? [] : ['text'])];
    const { type, body } = formOf([
      ['dkim', `{@${domainOf(from.address)} : pass}`],
      ['to', shown(to)],
      ...optional('cc', cc.length === 0 ? null : shown(cc)),
      ['from', shownPerson(from)],
      ['sender_ip', READER.ip],
      ['envelope', JSON.stringify({ to: [recipientOf(mail)], from: from.address })],
      ['subject', subject],
      ['spam_score', `${spamScore}`],
      ['spam_report', `Spam detection software has given this email ${spamScore} points of ${SPAM_SCORE}.`],
      ['charsets', json([...charsets, ...(html === null ? [] : ['html'])].map((name) => [name, 'UTF-8']))],
      ['SPF', 'pass'],
      ...(isRaw ? ([['email', raw()]] as const) : contents),
    ]);
    return { headers: { 'content-type': type, ...(await sign(body, signing)) }, body };
  };
}

const json = (entries: readonly (readonly unknown[])[]) =>
  JSON.stringify(Object.fromEntries(entries as [string, unknown][]));
const optional = (name: string, value: string | null): FormField[] => (value === null ? [] : [[name, value]]);

/** Routes (documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http). */
function mailgunInbound({ secret, isRaw }: InboundSettings): Write {
  const sign = mailgunSigner(secret, CALL);
  return async (mail, signing) => {
    const { raw, from, subject, text, html, files, own } = mail;
    const added: Field[] = [
      ['X-Mailgun-Spf', 'Pass'],
      ['X-Mailgun-Dkim-Check-Result', 'Pass'],
      ['X-Mailgun-Sscore', `${mail.spamScore}`],
      ['X-Mailgun-Sflag', isSpam(mail)],
      ['X-Mailgun-Incoming', 'Yes'],
      ['X-Envelope-From', `<${from.address}>`],
    ];
    const named = mail.fields.map(([name, value]) => [name.replace(/^Message-ID$/, 'Message-Id'), value] as const);
    const headers = [...added, ...named];
    const ids = files.flatMap(({ cid }, index) => (cid === null ? [] : [[`<${cid}>`, `attachment-${index + 1}`]]));
    const plain = (body: Pick<Contents, 'text' | 'html'>) => body.text ?? (body.html ?? '').replace(/<[^<>]*>/g, ' ');
    const parsed: FormField[] = [
      ...headers,
      ['message-headers', JSON.stringify(headers)],
      ['body-plain', plain({ text, html })],
      ...optional('body-html', html),
      ['stripped-text', plain(own)],
      ...optional('stripped-html', own.html),
      ['stripped-signature', ''],
      ...(files.length === 0 ? [] : ([['attachment-count', `${files.length}`]] as const)),
      ...(ids.length === 0 ? [] : ([['content-id-map', json(ids)]] as const)),
      ...files.map((file, index) => [`attachment-${index + 1}`, file] as const),
    ];
    const fields: FormField[] = [
      ['recipient', recipientOf(mail)],
      ['sender', from.address],
      ['from', shownPerson(from)],
      ['subject', subject],
      ...Object.entries(await sign(signing)),
      ...(isRaw ? ([['body-mime', linesOf(added) + raw()]] as const) : parsed),
    ];
    if (!isRaw && files.length > 0) {
      const { type, body } = formOf(fields);
      return { headers: { 'content-type': type }, body };
    }
    const headersOfForm = { 'content-type': 'application/x-www-form-urlencoded' };
    return { headers: headersOfForm, body: `${new URLSearchParams(fields as [string, string][])}` };
  };
}

/** The inbound webhook (postmarkapp.com/developer/webhooks/inbound-webhook). */
function postmarkInbound({ isRaw }: InboundSettings): Write {
  const hashOf = (address: string) => /^[^@+]*\+([^@]*)@/.exec(address)?.[1] ?? '';
  const full = ({ name, address }: Person) => ({ Email: address, Name: name, MailboxHash: hashOf(address) });
  return async (mail) => {
    const { from, to, cc, replyTo, files } = mail;
    const added: Field[] = [
      ['X-Spam-Checker-Version', 'SpamAssassin 3.4.0 (2014-02-07)'],
      ['X-Spam-Status', isSpam(mail)],
      ['X-Spam-Score', `${mail.spamScore}`],
      ['X-Spam-Tests', 'DKIM_SIGNED,DKIM_VALID,DKIM_VALID_AU,SPF_PASS'],
      ['Received-SPF', `Pass (sender SPF authorized) identity=mailfrom; client-ip=${READER.ip}; helo=mail`],
    ];
    const rest = mail.fields.filter(([name]) => name !== 'Date' && !FIELDS.includes(name));
    const headers: Field[] = [['Return-Path', `<${from.address}>`], ...added, ...rest];
    const payload = {
      FromName: from.name,
      MessageStream: 'inbound',
      From: from.address,
      FromFull: full(from),
      To: shown(to),
      ToFull: to.map(full),
      Cc: shown(cc),
      CcFull: cc.map(full),
      Bcc: '',
      BccFull: [],
      OriginalRecipient: recipientOf(mail),
      Subject: mail.subject,
      MessageID: mail.uuid,
      ReplyTo: shown(replyTo),
      MailboxHash: hashOf(recipientOf(mail)),
      Date: mail.fields.find(([name]) => name === 'Date')?.[1] ?? '',
      TextBody: mail.text ?? '',
      HtmlBody: mail.html ?? '',
      StrippedTextReply: mail.isReply ? (mail.own.text ?? '') : '',
      Tag: '',
      Headers: headers.map(([Name, Value]) => ({ Name, Value })),
      Attachments: files.map(({ filename, type, content, cid }) => ({
        Name: filename,
        Content: base64(content),
        ContentType: type,
        ContentLength: content.length,
        ...(cid !== null && { ContentID: cid }),
      })),
      ...(isRaw && { RawEmail: linesOf(added) + mail.raw() }),
    };
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(payload) };
  };
}

/** The event email.received, as the type ReceivedEmailEventData in resend-node 6.38. It has no body. */
function resendInbound({ secret, onReceived }: InboundSettings): Write {
  const sign = resendSigner(secret, CALL);
  return async (mail, signing) => {
    const { uuid, at, from, to, cc, replyTo, subject, messageId, text, html, files } = mail;
    const attachments = files.map(({ filename, type, cid }, index) => ({
      id: `${uuid.slice(0, -4)}${`${index}`.padStart(4, '0')}`,
      filename,
      content_type: type,
      content_disposition: cid === null ? 'attachment' : 'inline',
      content_id: cid,
    }));
    const data = {
      created_at: at.toISOString(),
      from: shownPerson(from),
      to: addresses(to),
      bcc: [],
      cc: addresses(cc),
      message_id: messageId,
      subject,
    };
    onReceived?.({
      object: 'email',
      id: uuid,
      ...data,
      reply_to: addresses(replyTo),
      html,
      text,
      headers: Object.fromEntries(
        mail.fields.filter(([name]) => !FIELDS.includes(name)).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      attachments: attachments.map((one, index) => {
        const { content = new Uint8Array(), type = '' } = files[index] ?? {};
        return { ...one, size: content.length, download_url: `data:${type};base64,${base64(content)}` };
      }),
    });
    const received = { email_id: uuid, ...data, received_for: [recipientOf(mail)], attachments };
    const post = await sign(uuid, { type: 'email.received', created_at: at.toISOString(), data: received }, signing);
    return { ...post, headers: { 'content-type': 'application/json', ...post.headers } };
  };
}

/** The local handler of Email Workers (developers.cloudflare.com/email-routing/email-workers/local-development). */
function cloudflareInbound(): Write {
  return async (mail) => ({
    headers: { 'content-type': 'message/rfc822' },
    body: mail.raw(),
    query: { from: mail.from.address, to: recipientOf(mail) },
  });
}
