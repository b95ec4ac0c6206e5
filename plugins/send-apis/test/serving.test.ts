import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startMayfly } from 'mayfly-inbox';
import { expect, test } from 'vitest';
import { type Answer, freshAddress, startService } from './provider.js';

test.each<[string, object, Record<string, number>]>([
  ['all APIs if only this machine reaches the service', {}, { '/emails': 422, '/email': 422 }],
  ['the listed APIs', { sendApis: ['postmark'] }, { '/emails': 404, '/email': 422 }],
  ['no API with off', { sendApis: 'off' }, { '/emails': 404, '/email': 404 }],
  ['no API by default if others reach the service', { host: '0.0.0.0' }, { '/emails': 404, '/email': 404 }],
  ['all APIs with all', { host: '0.0.0.0', sendApis: 'all' }, { '/emails': 422, '/email': 422 }],
])('--send-apis serves %s', async (_, options, expected) => {
  const service = await startMayfly(options);
  try {
    const url = service.url.replace('0.0.0.0', '127.0.0.1');
    const headers = { 'content-type': 'application/json' };
    for (const [route, status] of Object.entries(expected)) {
      expect((await fetch(url + route, { method: 'POST', headers, body: '{}' })).status, route).toBe(status);
    }
    const told = (await (await fetch(`${url}/api/settings`)).json()) as Answer;
    expect('postmark' in told.sendApis).toBe(expected['/email'] === 422);
    expect(Object.keys(service.sending).sort()).toEqual(Object.keys(told.sendApis).sort());
    if (expected['/emails'] === 422) expect(service.sending.resend?.RESEND_BASE_URL).toBe(service.url);
  } finally {
    await service.stop();
  }
});

test('templates from files are filled in with variables, which are escaped in HTML', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-templates-'));
  const service = await startService({ templates: folder });
  try {
    await writeFile(path.join(folder, 'welcome.html'), '<p>{{user.name}}: {{ code }} {{{raw}}}{{missing}}</p>');
    await writeFile(path.join(folder, 'welcome.txt'), '{{user.name}}, your code is {{code}}');
    await writeFile(path.join(folder, 'welcome.subject.txt'), 'Hi {{user.name}}\n');
    const variables = { user: { name: '<Ann>' }, code: 771245, raw: '<b>' };
    const send = (to: string, id: string) =>
      service.post('/emails', { from: 'a@b.test', to, template: { id, variables } });
    const [known, unknown, outside] = [freshAddress(), freshAddress(), freshAddress()];
    await send(known, 'welcome');
    expect(await service.emails(known)).toMatchObject([{ otp: '771245', subject: 'Hi <Ann>' }]);
    expect(await service.parts(known)).toMatchObject({
      html: '<p>&lt;Ann&gt;: 771245 <b></p>',
      text: '<Ann>, your code is 771245',
    });
    await send(unknown, 'other');
    expect(await service.emails(unknown)).toMatchObject([{ otp: '771245', subject: 'Template other' }]);
    await send(outside, `../${path.basename(folder)}/welcome`);
    expect((await service.emails(outside))[0].body).toContain('code: 771245');
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
});

test.each<[string, (folder: string) => Promise<object>, RegExp]>([
  [
    'without a send API',
    async (folder) => ({ templates: folder, sendApis: 'off' }),
    /^templates is for send APIs, but/,
  ],
  ['of a missing folder', async (folder) => ({ templates: `${folder}/none` }), /cannot be read: there is no/],
  [
    'of a file',
    async (folder) => {
      await writeFile(path.join(folder, 'a.txt'), 'Hi');
      return { templates: path.join(folder, 'a.txt') };
    },
    /part of its path is not a folder/,
  ],
  [
    'with a file that cannot be read',
    async (folder) => {
      await symlink('b.html', path.join(folder, 'b.html'));
      return { templates: folder };
    },
    /b\.html cannot be read: its symbolic links form a loop/,
  ],
  [
    'with a file that is too large',
    async (folder) => {
      await writeFile(path.join(folder, 'c.html'), 'x'.repeat(1024 * 1024 + 1));
      return { templates: folder };
    },
    /c\.html has 1048577 bytes\. A file may have at most 1048576\./,
  ],
])('the service does not start with templates %s', async (_, optionsIn, sentence) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-templates-'));
  try {
    // Neither a folder named like a template nor a large file of another kind is a template.
    await mkdir(path.join(folder, 'folder.html'));
    await writeFile(path.join(folder, 'large.png'), Buffer.alloc(2 * 1024 * 1024));
    const starting = startMayfly(await optionsIn(folder));
    await expect(starting).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringMatching(sentence),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
