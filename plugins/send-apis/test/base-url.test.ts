import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { freshAddress, load, PATIENCE_MS, type RunningService, startService } from './provider.js';

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
});
