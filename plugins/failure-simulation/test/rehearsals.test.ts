import { type Inbox, Mayfly } from 'mayfly-client';
import { type StartedMayfly, startMayfly } from 'mayfly-inbox';
import { createTransport, type Transporter } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saysInVain } from '../../../packages/client/test/in-vain.js';
import { temporaryFolder } from '../../../packages/server/test/service/process.js';
import { RawClient } from '../../../packages/server/test/smtp/client.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let mayfly: StartedMayfly;
let client: Mayfly;
let transport: Transporter;

beforeAll(async () => {
  folder = await temporaryFolder();
  mayfly = await startMayfly({ store: `lmdb:${folder.path}`, compatApi: 'mailpit', compatApiLimit: 'off' });
  client = new Mayfly({ baseUrl: mayfly.url });
  transport = createTransport({ ...mayfly.smtp, ignoreTLS: true });
});

afterAll(async () => {
  transport.close();
  await mayfly.stop();
  await folder.remove();
});

/** Sends one message. Resolves to the reply code, or to the library's error value if there was no reply. */
async function send(to: Inbox | readonly Inbox[], subject = 'Hi', from = 'app@app.test'): Promise<number | string> {
  const mail = { from, to: [to].flat().map(String), subject, text: 'Your code is 482913' };
  try {
    const { response } = await transport.sendMail(mail);
    return Number(response?.slice(0, 3));
  } catch (error) {
    const { responseCode, message } = error as Error & { responseCode?: number };
    return responseCode ?? message;
  }
}

async function sendTimes(times: number, inbox: Inbox): Promise<(number | string)[]> {
  const replies: (number | string)[] = [];
  for (let i = 0; i < times; i += 1) replies.push(await send(inbox));
  return replies;
}

const subjects = async (inbox: Inbox) => (await inbox.emails()).map(({ subject }) => subject).reverse();

const LOST = 'Connection closed unexpectedly';

describe('simulated failures', () => {
  test.each<[string[], (number | string)[], number]>([
    [['451 x2'], [451, 451, 250, 250], 2],
    [['550'], [550, 550], 0],
    [['data 452 x1'], [452, 250], 1],
    [['data554'], [554, 554], 0],
    [['lost250'], [LOST, 250], 2],
    [['lost250 x2'], [LOST, LOST, 250], 3],
    [['twice'], [250], 2],
    [['450x1', 'lost250', 'twice'], [450, LOST, 250], 4],
    [['451x1', '450x1', '451x2'], [451, 450, 451, 451, 250], 1],
    [['lost250', 'lost250'], [LOST, LOST, 250], 3],
    [['limit 2 per 600s'], [250, 250, 421, 421], 2],
    [['421x1'], [421, 250], 1],
    [['data421x1'], [421, 250], 1],
  ])('an inbox name simulates %j', async (simulate, replies, emails) => {
    const inbox = client.createInbox({ simulate });
    expect(await sendTimes(replies.length, inbox)).toEqual(replies);
    expect(await inbox.emails()).toHaveLength(emails);
  });

  test('a simulated late reply is sent after the email is stored', async () => {
    const inbox = client.createInbox({ simulate: ['delay 2s'] });
    const sentAt = performance.now();
    const sending = send(inbox).then((reply) => ({ reply, afterMs: performance.now() - sentAt }));
    expect(await inbox.waitForOtp()).toBe('482913');
    const { reply, afterMs } = await sending;
    expect(reply).toBe(250);
    expect(afterMs).toBeGreaterThanOrEqual(2_000);
  });

  test('a delay can be combined with a rejection and with a lost reply', async () => {
    const inbox = client.createInbox({ simulate: ['delay1s', 'data451x1', 'lost250'] });
    expect(await sendTimes(3, inbox)).toEqual([451, LOST, 250]);
    expect(await inbox.emails()).toHaveLength(2);
  });

  test('a greylist defers each sender until it retries late enough', async () => {
    const inbox = client.createInbox({ simulate: ['greylist 1s'] });
    const firstAt = performance.now();
    expect(await send(inbox, 'one')).toBe(451);
    await expect.poll(() => send(inbox, 'one')).toBe(250);
    expect(performance.now() - firstAt).toBeGreaterThanOrEqual(1_000);
    expect(await send(inbox, 'two')).toBe(250);
    expect(await send(inbox, 'three', 'other@app.test')).toBe(451);
    expect(await subjects(inbox)).toEqual(['one', 'two']);
  });

  test('the simulated failure "hold" hides mail until release(), and mail is listed in release order', async () => {
    const inbox = client.createInbox({ simulate: ['hold'] });
    for (const subject of ['one', 'two', 'three', 'four']) expect(await send(inbox, subject)).toBe(250);
    expect(await inbox.emails()).toEqual([]);
    const mark = await inbox.mark();
    const waiting = inbox.waitForEmail({ after: mark });
    expect(await inbox.release([3, 1])).toBe(2);
    expect((await waiting).otp).toBe('482913');
    expect(await subjects(inbox)).toEqual(['three', 'one']);
    expect(await inbox.release()).toBe(2);
    expect(await subjects(inbox)).toEqual(['three', 'one', 'two', 'four']);
    const [newest] = await inbox.emails();
    expect(newest).toMatchObject({ to: inbox.address, otp: '482913' });
    expect(await send(inbox, 'five')).toBe(250);
    expect(await subjects(inbox)).toEqual(['three', 'one', 'two', 'four', 'five']);
    expect(await inbox.release()).toBe(0);
  });
});

test('the delivery log has the reply code of a simulated rejection, and lists held messages as stored', async () => {
  const outcomes = async (inbox: Inbox) => (await inbox.attempts()).map(({ outcome, error }) => [outcome, error?.code]);
  const inbox = client.createInbox({ simulate: ['451x1', 'data452x1', 'lost250', 'twice'] });
  await sendTimes(4, inbox);
  await expect
    .poll(() => outcomes(inbox))
    .toEqual([
      ['rehearsed', 451],
      ['rehearsed', 452],
      ['kept', undefined],
      ['kept', undefined],
    ]);
  const late = client.createInbox({ simulate: ['delay60s'] });
  const leaving = createTransport({ ...mayfly.smtp, ignoreTLS: true, socketTimeout: 2_000 });
  await expect(leaving.sendMail({ from: 'a@app.test', to: late.address, text: 'Hi' })).rejects.toThrow();
  expect(await outcomes(late)).toEqual([['kept', undefined]]);
  const held = client.createInbox({ simulate: ['hold'] });
  await send(held);
  expect(await outcomes(held)).toEqual([['kept', undefined]]);
  await saysInVain((timeout) => held.waitForEmail({ timeout }), 'inbox.release() shows it');
  const slip = client.inbox('sign-up--451-x2');
  await send(slip);
  // Polls, because a transaction without DATA ends only when its client disconnects or begins another.
  await expect.poll(() => outcomes(slip)).toEqual([['bad-rehearsal', 553]]);
});

test('held mail is kept byte for byte, whatever its size, and deleted when the inbox is cleared', async () => {
  const inbox = client.createInbox({ simulate: ['hold'] });
  const large = `Subject: Large\r\n\r\n${'a line of text\r\n'.repeat(200_000)}`;
  const envelope = { from: '', to: inbox.address };
  await transport.sendMail({ envelope, raw: large });
  expect(await inbox.release([1])).toBe(1);
  expect((await inbox.latest())?.rawBody).toBe(large);
  await transport.sendMail({ envelope, raw: 'Subject: Cleared\r\n\r\n' });
  await inbox.clear();
  expect(await inbox.release()).toBe(0);
  expect(await inbox.emails()).toEqual([]);
});

test("held mail is missing from a search in Mailpit's API until it is released", async () => {
  const inbox = client.createInbox({ simulate: ['hold'] });
  await send(inbox, 'held back');
  const listed = async () => {
    const response = await fetch(`${mayfly.url}/api/v1/search?query=${encodeURIComponent('subject:"held back"')}`);
    return ((await response.json()) as { messages: { To: { Address: string }[] }[] }).messages;
  };
  expect(await listed()).toEqual([]);
  await inbox.release();
  await expect.poll(listed).toMatchObject([{ To: [{ Address: inbox.address }] }]);
});

test('each recipient gets a separate reply, and the first with a data failure determines the final reply', async () => {
  const ordinary = client.createInbox();
  const refused = client.createInbox({ simulate: ['550'] });
  const lost = client.createInbox({ simulate: ['lost250'] });
  const later = client.createInbox({ simulate: ['data554'] });
  expect(await send([ordinary, refused, lost, later])).toBe(LOST);
  for (const inbox of [ordinary, lost, later]) expect(await inbox.emails()).toHaveLength(1);
  expect(await refused.emails()).toEqual([]);
  expect(await send([later, lost])).toBe(554);
});

test('a stopping service sends delayed replies immediately, and ignores those of disconnected clients', async () => {
  const other = await startMayfly();
  const sender = createTransport({ ...other.smtp, ignoreTLS: true });
  const inboxes = new Mayfly({ baseUrl: other.url });
  const [late, left] = [1, 2].map(() => inboxes.createInbox({ simulate: ['delay60s'] })) as [Inbox, Inbox];
  const mail = { from: 'a@app.test', subject: 'Hi', text: 'Hi' };
  const sent = sender.sendMail({ ...mail, to: late.address });
  const leaving = createTransport({ ...other.smtp, ignoreTLS: true, socketTimeout: 3_000 });
  await expect(leaving.sendMail({ ...mail, to: left.address })).rejects.toThrow();
  await late.waitForEmail();
  await left.waitForEmail();
  await other.stop();
  expect((await sent).response).toMatch(/^250 /);
  sender.close();
});

test('a message is rejected if its client already waits for too many delayed replies', async () => {
  const other = await startMayfly();
  const inboxes = new Mayfly({ baseUrl: other.url });
  const inbox = inboxes.createInbox({ simulate: ['delay60s'] });
  const senders = await Promise.all(Array.from({ length: 101 }, () => RawClient.greeted(other.smtp.port)));
  const replies = Promise.all(
    senders.map(async (sender) => {
      await sender.begin(inbox.address);
      await sender.send('Subject: Hi\r\n\r\nHi\r\n.\r\n');
      return await sender.line();
    }),
  );
  const refused =
    '451 4.7.1 At most 100 messages from your IP address can wait for a simulated delay: try again in a moment';
  expect(await inbox.waitForEmails({ count: 100, timeout: 60_000 })).toHaveLength(100);
  await other.stop();
  expect((await replies).filter((reply) => reply === refused)).toHaveLength(1);
});

test('held mail stays hidden if the inbox is full, and the release reports a full inbox', async () => {
  const small = await startMayfly({ maxEmails: 1 });
  try {
    const inbox = new Mayfly({ baseUrl: small.url }).createInbox({ simulate: ['hold'] });
    const sender = createTransport({ ...small.smtp, ignoreTLS: true });
    const mail = { from: 'a@app.test', to: inbox.address, subject: 'Hi', text: 'Hi' };
    await sender.sendMail(mail);
    await expect(sender.sendMail(mail)).rejects.toThrow('452 4.2.2');
    expect(await inbox.release([1])).toBe(1);
    await sender.sendMail(mail);
    await expect(inbox.release([1])).rejects.toThrow('could not be released: 452 4.2.2 The inbox is full');
    await inbox.delete(await inbox.waitForEmail());
    expect(await inbox.release([1])).toBe(1);
  } finally {
    await small.stop();
  }
});

test('an inbox name with "--" and a mistyped failure is rejected, and other names with "--" are valid', async () => {
  expect(await send(client.inbox('sign-up--451-x2'))).toBe(553);
  const inbox = client.inbox('first--last');
  expect(await send(inbox)).toBe(250);
  expect(await inbox.waitForOtp()).toBe('482913');
});

test('the option for failure simulation takes precedence over its default, which depends on the host', async () => {
  for (const [rehearsals, host, reply, made] of [
    [undefined, '0.0.0.0', 250, 553],
    [true, '0.0.0.0', 550, 550],
    [false, '127.0.0.1', 250, 553],
  ] as const) {
    const other = await startMayfly({ host, failureSimulation: rehearsals, domain: 'inbox.example.com' });
    const sender = createTransport({ port: other.smtp.port, host: '127.0.0.1', ignoreTLS: true });
    const replyTo = (to: string) =>
      sender.sendMail({ from: 'a@app.test', to, subject: 'Hi', text: 'Hi' }).then(
        ({ response }) => Number(response.slice(0, 3)),
        ({ responseCode }) => responseCode,
      );
    expect(await replyTo('demo--550@inbox.example.com')).toBe(reply);
    // Mayfly must not accept this mail. Otherwise, a test of the failure would pass although nothing failed.
    expect(await replyTo(client.createInbox({ simulate: ['550'] }).address)).toBe(made);
    await other.stop();
  }
});
