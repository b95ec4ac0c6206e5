import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { freshAddress, load, PATIENCE_MS, type RunningService, startService } from './provider.js';
import { NAMES, REQUESTS, send } from './requests.js';

let service: RunningService;

beforeAll(async () => {
  service = await startService();
}, PATIENCE_MS);
afterAll(() => service?.stop());

describe('a base URL that ends with a slash', () => {
  test("lets Resend's SDK send and find a message by a path with two slashes", needs('SDKs for Node'), async () => {
    const { Resend } = load('resend');
    const { emails } = new Resend('re_123', { baseUrl: `${service.url}/` });
    const to = freshAddress();
    const { data } = await emails.send({ from: 'app@acme.test', to, subject: 'Hi', text: 'Your code is 482913' });
    expect(await service.client.inbox(to).waitForOtp()).toBe('482913');
    expect((await emails.get(data.id)).data).toMatchObject({ id: data.id, to: [to] });
  });

  test.each(NAMES)('leads to the API of %s, also for an unknown path, and to no other route', async (name) => {
    const to = freshAddress();
    const sent = REQUESTS[name].mail(to);
    const path = `/${sent.path}`;
    expect((await send(service.url, { ...sent, path })).ok).toBe(true);
    expect(await service.client.inbox(to).waitForOtp()).toBe('482913');
    const unknown = await send(service.url, { ...sent, path: `${path}/nothing/here` });
    expect(unknown.status).toBe(404);
    // Version 1 of SES owns no path but its own.
    if (name !== 'ses v1') expect(REQUESTS[name].isError(await unknown.text(), unknown.headers)).toBe(true);
    expect((await fetch(`${service.url}//api/inbox/demo`)).status).toBe(404);
  });
});
