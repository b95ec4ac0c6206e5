import { test } from 'mayfly-client/vitest';
import { http, passthrough } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll } from 'vitest';

const handlers = process.env.LET_THROUGH ? [http.all(`${process.env.MAYFLY_URL}/*`, () => passthrough())] : [];
const server = setupServer(...handlers);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

test('a test with MSW active reads its inbox', async ({ inbox }) => {
  await inbox.emails();
});
