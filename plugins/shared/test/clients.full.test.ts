import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../packages/server/test/service/process.js';
import { needs } from '../../../tools/needs.js';
import { type Answer, freshAddress, PATIENCE_MS, type RunningTool, startTool, WORKSPACE } from './compat-api.js';
import { installCypress } from './cypress-stand-in.js';

const run = promisify(execFile);

/**
 * The folder of Mailpit's and MailHog's clients, installed with `npm ci --prefix plugins/shared/test/clients`. These
 * tests make every call of the clients to a service that listens on all interfaces and requires a password.
 */
const FOLDER = fileURLToPath(new URL('clients/', import.meta.url));

/** A Python with the packages of requirements.txt, created by tools/install.js. */
const PYTHON = fileURLToPath(new URL('../../../node_modules/.cache/compat-clients/bin/python', import.meta.url));

const load = createRequire(path.join(FOLDER, 'package.json'));

const OPTIONS = { compatApiLimit: 'off', host: '0.0.0.0', workspace: `${WORKSPACE.name}=${WORKSPACE.key}` };
const CREDENTIALS = { username: 'anybody', password: WORKSPACE.key };

const MAIL = {
  from: '"App" <app@app.test>',
  subject: 'Wélcome',
  text: 'Your code is 482913, für dich',
  html: '<p>Your code is <b>482913</b></p>',
  attachments: [{ filename: 'invoice.pdf', content: Buffer.from('%PDF-1.4'), contentType: 'application/pdf' }],
};

let service: RunningTool;

/** Returns the service's address on this machine. */
const address = () => service.url.replace('0.0.0.0', '127.0.0.1');

async function begin(tool: string): Promise<void> {
  service = await startTool(tool, OPTIONS);
}

describe("Mailpit's API works with", needs('Mailpit clients'), () => {
  beforeAll(() => begin('mailpit'), PATIENCE_MS);
  afterAll(() => service.stop());
  beforeEach(async () => {
    await service.ask('/api/v1/messages', { method: 'DELETE', headers: bearer });
  });

  test('every method of the package mailpit-api except those that Mayfly does not serve', async () => {
    const { MailpitClient } = load('mailpit-api');
    const client = new MailpitClient(address(), { auth: CREDENTIALS });
    const to = freshAddress();
    const { ID } = await client.sendMessage({
      From: { Email: 'app@app.test', Name: 'App' },
      To: [{ Email: to, Name: 'Jane' }],
      Subject: 'Sent by its client',
      Text: 'Your code is 771245',
      Attachments: [{ Content: Buffer.from('png').toString('base64'), Filename: 'logo.png' }],
    });
    await service.send({ ...MAIL, to });
    expect(await client.getInfo()).toMatchObject({
      Messages: 2,
      Unread: 2,
      RuntimeStats: { Uptime: expect.any(Number) },
    });
    expect(await client.listMessages(0, 1)).toMatchObject({
      total: 2,
      count: 1,
      messages: [{ Subject: MAIL.subject }],
    });
    expect(await client.searchMessages({ query: `to:${to}`, start: 0, limit: 5, tz: 'Europe/Berlin' })).toMatchObject({
      messages_count: 2,
    });
    const message = await client.getMessageSummary(ID);
    expect(message).toMatchObject({
      ID,
      Subject: 'Sent by its client',
      OTP: '771245',
      To: [{ Name: 'Jane', Address: to }],
    });
    expect((await client.getMessageHeaders(ID)).Subject).toEqual(['Sent by its client']);
    const blob = await client.getMessageAttachment(ID, message.Attachments[0].PartID);
    expect([blob.type, await blob.text()]).toEqual(['image/png', 'png']);
    expect(await client.getMessageSource(ID)).toContain('Subject: Sent by its client');
    expect(await client.renderMessageHTML('latest')).toBe(MAIL.html);
    expect(await client.renderMessageText('latest')).toBe(MAIL.text);
    expect(await client.waitForMessage({ query: 'subject:"by its"' })).toMatchObject({ ID });
    expect(await client.waitForMessages({ query: `to:${to}`, count: 2, exact: true })).toMatchObject({
      messages_count: 2,
    });
    expect(await client.waitForMessages({ timeout: PATIENCE_MS })).toMatchObject({ total: 2 });
    expect(await client.setReadStatus({ IDs: [ID], Read: false })).toBe('ok');
    expect(await client.setReadStatus({ Search: 'subject:client', Read: true }, { tz: 'UTC' })).toBe('ok');
    expect(await client.setReadStatus()).toBe('ok');
    expect(await client.getTags()).toEqual([]);
    expect(await client.deleteMessagesBySearch({ query: 'subject:client' })).toBe('ok');
    const { messages } = await client.listMessages();
    expect(await client.deleteMessages({ IDs: messages.map((one: Answer) => one.ID) })).toBe('ok');
    expect(await client.deleteMessages()).toBe('ok');
    expect((await client.listMessages()).total).toBe(0);
    expect(await client.getConfiguration()).toMatchObject({ ChaosEnabled: false, MessageRelay: { Enabled: false } });
    const others = ['htmlCheck', 'linkCheck', 'spamAssassinCheck', 'setTags', 'getChaosTriggers'];
    for (const name of [
      ...others,
      'setChaosTriggers',
      'releaseMessage',
      'renameTag',
      'deleteTag',
      'getAttachmentThumbnail',
    ]) {
      await expect(client[name]('a', 'b')).rejects.toThrow(/501 Not Implemented.*Migrating/);
    }
  });

  test('every command of cypress-mailpit except the spam check', async () => {
    const settings = { MAILPIT_URL: address(), defaultCommandTimeout: PATIENCE_MS };
    const cypress = installCypress({ ...settings, MAILPIT_USERNAME: 'anybody', MAILPIT_PASSWORD: WORKSPACE.key });
    await bundled('cypress-mailpit');
    const call = (name: string, ...args: unknown[]): Promise<Answer> =>
      cypress[`mailpit${name}`]?.(...args) as Promise<Answer>;
    const to = freshAddress();
    await service.send({ ...MAIL, to });
    await call('SendMail', { to: [{ Email: freshAddress() }], subject: 'From Cypress' });
    expect((await call('GetAllMails')).messages).toHaveLength(2);
    expect(await call('HasEmailsByTo', to)).toMatchObject({ messages_count: 1 });
    expect(await call('GetEmailsByTo', to)).toMatchObject({ messages_count: 1 });
    expect(await call('HasEmailsBySubject', 'Cypress')).toMatchObject({ messages_count: 1 });
    expect(await call('GetEmailsBySubject', 'nothing')).toMatchObject({ messages_count: 0 });
    expect(await call('NotHasEmailsBySubject', 'nothing')).toMatchObject({ messages_count: 0 });
    expect(await call('NotHasEmailsByTo', freshAddress())).toMatchObject({ messages_count: 0 });
    expect(await call('HasEmailsBySearch', 'is:unread')).toMatchObject({ messages_count: 2 });
    expect(await call('NotHasEmailsBySearch', 'is:read')).toMatchObject({ messages_count: 0 });
    const [{ ID }] = (await call('SearchEmails', `to:${to}`)).messages;
    const message = await call('GetMail', ID);
    expect(await call('GetSubject', message)).toBe(MAIL.subject);
    expect(await call('GetFromAddress', message)).toBe('app@app.test');
    expect(await call('GetRecipientAddress', message)).toEqual([to]);
    expect(await call('GetAttachments', message)).toEqual(['invoice.pdf']);
    expect(await call('GetMailHTMlBody', message)).toBe(MAIL.html);
    expect(await call('GetMailTextBody', message)).toBe(MAIL.text);
    for (const name of ['SetAllEmailStatusAsRead', 'SetAllEmailStatusAsUnRead']) expect(await call(name)).toBe('ok');
    for (const name of ['SetStatusAsRead', 'SetStatusAsUnRead']) expect(await call(name, message)).toBe('ok');
    await expect(call('GetMailSpamAssassinSummary', message)).rejects.toThrow(/501/);
    await call('DeleteEmailsBySearch', 'subject:Cypress');
    expect((await call('GetAllMails')).messages).toHaveLength(1);
    await call('DeleteAllEmails');
    expect((await call('GetAllMails')).messages).toEqual([]);
  });

  test('the Python packages pytest-mailpit and mailpit-api-client', {
    ...needs('Mailpit clients in Python'),
    timeout: 120_000,
  }, async () => {
    // Starts a service without a password, because mailpit-api-client cannot send credentials.
    const open = await startTool('mailpit', { compatApiLimit: 'off' });
    try {
      const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', `--mailpit-url=${open.url}`, 'test_clients.py'];
      const env = {
        ...process.env,
        MAIL_URL: open.url,
        SMTP_PORT: String(open.smtpPort),
        PYTHONDONTWRITEBYTECODE: '1',
      };
      const { stdout } = await run(PYTHON, args, { cwd: FOLDER, env }).catch((error) => {
        throw new Error(error.stdout || error.message);
      });
      expect(stdout).toMatch(/^9 passed/m);
    } finally {
      await open.stop();
    }
  });
});

describe("MailHog's API works with", needs('Mailpit clients'), () => {
  beforeAll(() => begin('mailhog'), PATIENCE_MS);
  afterAll(() => service.stop());
  beforeEach(async () => {
    await service.ask('/api/v1/messages', { method: 'DELETE', headers: bearer });
  });

  test('every method of the package mailhog except the one that relays a message', async () => {
    const { port, hostname: host } = new URL(address());
    const client = load('mailhog')({ host, port: Number(port), auth: `anybody:${WORKSPACE.key}` });
    const to = freshAddress();
    await service.send({ to: freshAddress(), subject: 'another' });
    await service.send({ ...MAIL, to });
    const all = await client.messages(0, 10);
    expect([all.total, all.count, all.start]).toEqual([2, 2, 0]);
    const [mail] = all.items;
    expect([mail.subject, mail.from, mail.to]).toEqual([MAIL.subject, 'App <app@app.test>', to]);
    expect([mail.text, mail.date, mail.deliveryDate]).toEqual([undefined, expect.any(Date), expect.any(Date)]);
    expect(mail.attachments).toMatchObject([
      { name: 'invoice.pdf', type: 'application/pdf; name=invoice.pdf', encoding: 'base64' },
    ]);
    expect(client.decode(mail.attachments[0].Body, 'base64')).toBe('%PDF-1.4');
    await service.send({ to, subject: 'plain', text: 'Fünf Wörter, und so fort' });
    const latest = await client.latestTo(to);
    expect([latest.subject, latest.text, latest.html]).toEqual(['plain', 'Fünf Wörter, und so fort', undefined]);
    expect((await client.latestFrom('app@app.test')).subject).toBe('plain');
    expect((await client.latestContaining('482913')).subject).toBe(MAIL.subject);
    expect((await client.search(to, 'to', 1, 1)).items[0].subject).toBe(MAIL.subject);
    expect(await client.latestTo(freshAddress())).toBe(0);
    expect((await client.deleteMessage(latest.ID)).statusCode).toBe(200);
    expect((await client.messages()).total).toBe(2);
    expect((await client.deleteAll()).statusCode).toBe(200);
    expect((await client.messages()).total).toBe(0);
  });

  test('every command of cypress-mailhog except those for Jim, which simulates failures in MailHog', async () => {
    const settings = { mailHogUrl: `${address()}/`, mailHogUsername: 'anybody', mailHogPassword: WORKSPACE.key };
    const cypress = installCypress(settings);
    await bundled('cypress-mailhog');
    const call = (name: string, ...args: unknown[]): Promise<Answer> =>
      cypress[`mh${name}`]?.(...args) as Promise<Answer>;
    const to = freshAddress();
    await service.send({ to: freshAddress(), subject: 'plain' });
    await service.send({ ...MAIL, subject: 'Code', to });
    const mails = await call('GetAllMails');
    expect(mails).toHaveLength(2);
    expect(await call('First', mails)).toBe(mails[0]);
    for (const [name, value] of [
      ['Subject', 'Code'],
      ['Recipient', to],
    ] as const) {
      expect(await call(`GetMailsBy${name}`, value)).toEqual([mails[0]]);
      expect(await call(`FilterBy${name}`, mails, value)).toEqual([mails[0]]);
    }
    expect(await call('GetMailsBySender', 'app@app.test')).toHaveLength(2);
    expect(await call('FilterBySender', mails, 'app@app.test')).toHaveLength(2);
    expect(await call('SearchMails', 'containing', '482913')).toEqual([mails[0]]);
    expect(await call('GetSubject', mails[0])).toBe('Code');
    expect(await call('GetBody', mails[1])).toContain('Hello');
    expect(await call('GetSender', mails[0])).toBe('app@app.test');
    expect(await call('GetRecipients', mails[0])).toEqual([to]);
    expect(await call('GetAttachments', mails[0])).toEqual(['invoice.pdf']);
    expect(await call('GetJimMode')).toBe(false);
    expect(await call('DeleteAll')).toMatchObject({ status: 200 });
    expect(await call('GetAllMails')).toEqual([]);
  });
});

const bearer = { authorization: `Bearer ${WORKSPACE.key}` };

/** Bundles a Cypress plugin for the browser, and runs the bundle. */
async function bundled(name: string): Promise<void> {
  const folder = await temporaryFolder();
  const file = path.join(folder.path, `${name}.mjs`);
  await load('esbuild').build({
    entryPoints: [load.resolve(name)],
    outfile: file,
    bundle: true,
    format: 'esm',
    logLevel: 'error',
  });
  await import(pathToFileURL(file).href);
  await folder.remove();
}
