import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { runMayfly } from '../../../packages/server/test/service/process.js';
import { freshAddress, PATIENCE_MS, type RunningTool, startTool } from './compat-api.js';

let tool: RunningTool;

afterEach(() => tool?.stop());

test(
  "--compat-api-root adds its path prefix to every path of Mailpit's API, but not to our own API",
  async () => {
    tool = await startTool('mailpit', { compatApiRoot: '/mail/pit/' });
    const to = freshAddress();
    await tool.send({
      to,
      html: '<img src="cid:logo">',
      attachments: [{ filename: 'a.png', content: 'x', cid: 'logo' }],
    });
    const { messages } = await tool.json(`/mail/pit/api/v1/search?query=to:${to}`);
    expect(messages).toHaveLength(1);
    const html = await (await tool.ask(`/mail/pit/view/${messages[0].ID}.html`)).text();
    const [, image = ''] = /src="([^"]+)"/.exec(html) ?? [];
    expect(image).toMatch(/^\/mail\/pit\/api\/v1\/message\//);
    expect(await (await tool.ask(image)).text()).toBe('x');
    for (const path of ['livez', 'readyz', 'api/v1/info', 'api/v1/info/', '/api/v1/info', '/view/latest.txt']) {
      expect((await tool.ask(`/mail/pit/${path}`)).status, path).toBe(200);
    }
    for (const path of ['/mail/pit', '/mail/pit/']) {
      const page = await tool.ask(path, { redirect: 'manual' });
      expect([page.status, page.headers.get('location')]).toEqual([302, '/']);
    }
    for (const path of ['/api/v1/messages', '/view/latest.txt', '/mail/api/v1/messages', '/mail/pit/api/inbox/jane']) {
      expect((await tool.ask(path)).status, path).toBe(404);
    }
    expect(await tool.json(`/api/inbox/${to}`)).toMatchObject({ count: 1 });
    const socket = new WebSocket(`${tool.url.replace('http', 'ws')}/mail/pit/api/events`);
    const [event] = await once(socket, 'message');
    expect(JSON.parse(String(event))).toMatchObject({ Type: 'stats', Data: { Total: 1 } });
  },
  PATIENCE_MS,
);

describe('the service rejects a path prefix that', () => {
  test.each([
    ['is already used', '/api'],
    ['contains a parent folder', '/a/../b'],
    ['is too long', `/${'a'.repeat(200)}`],
  ])(
    '%s',
    async (_, root) => {
      const { exitCode, stderr } = await runMayfly(['serve', '--compat-api', 'mailpit', '--compat-api-root', root]);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('use a path such as /mailpit')]);
    },
    PATIENCE_MS,
  );
});
