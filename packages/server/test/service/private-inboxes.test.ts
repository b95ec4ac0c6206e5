import { readdir } from 'node:fs/promises';
import { Mayfly } from 'mayfly-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { callTool } from './agent.js';
import { CLIENT_MAYFLY, runMayfly, transportTo } from './process.js';
import { serviceOnDisk } from './service-on-disk.js';

const service = serviceOnDisk(['--compat-api', 'mailpit', '--mcp', '--fetch-limit', 'off']);
let client: Mayfly;

beforeAll(() => {
  client = new Mayfly({ baseUrl: service.mayfly.url });
});

const send = (to: string | string[], subject = 'Welcome') =>
  transportTo(service.mayfly).sendMail({ from: 'app@app.test', to, subject, text: 'Your code is 482913' });

/** Requests a path of Mailpit's API, and resolves to the subjects in the response. */
const subjects = async (path: string): Promise<string[]> => {
  const { messages } = (await (await fetch(service.mayfly.url + path)).json()) as { messages: { Subject: string }[] };
  return messages.map(({ Subject }) => Subject);
};

describe('a private inbox, end to end', () => {
  test('appears in no list, and not among the recipients of a message to several inboxes', async () => {
    const inbox = client.createInbox({ private: true });
    await send([inbox.address, 'shown@inbox.example.com'], 'To both');
    await send(inbox.address, 'To the private one');
    expect(await subjects('/api/v1/messages')).toEqual(['To both']);
    expect(await subjects(`/api/v1/search?query=${encodeURIComponent(`to:${inbox.address}`)}`)).toEqual([]);
    await fetch(`${service.mayfly.url}/api/v1/messages`, { method: 'DELETE' });
    expect(await inbox.emails()).toHaveLength(2);
    const exported = `${service.folder}/exported`;
    await runMayfly(['export', exported, ...service.store]);
    expect((await readdir(exported)).filter((file) => file.includes(inbox.name))).toEqual([]);
  });

  test("keeps its secret out of the service's log and output, even after a request with a wrong secret", async () => {
    const inbox = client.createInbox({ private: true });
    await send(inbox.address);
    await inbox.waitForEmail();
    await fetch(`${service.mayfly.url}/api/inbox/${inbox.name}`, {
      headers: { authorization: `Bearer ${inbox.secret}x` },
    });
    expect(service.mayfly.log() + service.mayfly.output()).not.toContain(inbox.secret);
  });

  test('can be created and read by the command line', async () => {
    const run = (args: readonly string[], environment = {}) =>
      runMayfly(args, { MAYFLY_URL: service.mayfly.url, ...environment }, { command: CLIENT_MAYFLY });
    const { stdout } = await run(['new', '--private']);
    const [, address = '', secret = ''] = /^(p-[a-z2-7]{26}@inbox\.example\.com) ([a-z2-7]{26})\n$/.exec(stdout) ?? [];
    await send(address);
    expect((await run(['wait', address, '--otp', '--secret', secret])).stdout).toBe('482913\n');
    expect((await run(['list', address], { MAYFLY_SECRET: secret })).stdout).toContain('482913');
    expect(await run(['list', address])).toMatchObject({ exitCode: 1, stdout: '' });
    expect((await run(['url', address, '--secret', secret])).stdout).toContain(`#${secret}\n`);
    expect(await run(['new', '--private', '--prefix', 'a'])).toMatchObject({ exitCode: 2 });
  });

  test('can be created by an agent, and read by an agent only with the secret of the inbox', async () => {
    const call = (name: string, args: object) => callTool(service.mayfly, name, args);
    const created = (await call('create_inbox', { private: true })).structuredContent;
    expect(created.page_url).toBe(`${service.mayfly.url}/inbox/${created.inbox}#${created.secret}`);
    await send(created.address);
    const { inbox, secret } = created;
    expect((await call('wait_for_email', { inbox, secret })).structuredContent.otp).toBe('482913');
    const [email] = (await call('check_inbox', { inbox, secret })).structuredContent.emails;
    const reading = { inbox, received_at: email.received_at, part: 'text' };
    expect((await call('get_email', { ...reading, secret })).structuredContent.text).toContain('482913');
    for (const wrong of [{}, { secret: 'another-of-16-characters' }]) {
      for (const [tool, args] of [
        ['wait_for_email', { inbox }],
        ['check_inbox', { inbox }],
        ['get_email', reading],
      ] as const) {
        const refused = await call(tool, { ...args, ...wrong });
        expect(refused).toMatchObject({ isError: true });
        expect(refused.content[0].text).toContain('This inbox is private');
      }
    }
    const prefixed = await call('create_inbox', { private: true, prefix: 'a' });
    expect(prefixed).toMatchObject({ isError: true });
  });
});
