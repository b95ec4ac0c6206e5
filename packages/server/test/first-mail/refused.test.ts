/** What a user sees whose application mails to a domain that is not served. */
import { afterAll, expect, test } from 'vitest';
import { endAll, serve, transportTo } from '../service/process.js';

afterAll(endAll);

test('a mail to another domain is answered and logged with what to do, and how often it came is told at the end', async () => {
  const mayfly = await serve(['--store', 'memory:', '--domain', 'a.test,b.test']);
  const transport = transportTo(mayfly);
  const sentence = "This service only accepts mail for a.test, b.test. Start it with --domain '*' to accept any domain";
  for (let count = 0; count < 3; count += 1) {
    const sent = transport.sendMail({ from: 'app@app.test', to: 'secret-name@other.test', text: 'Hello' });
    await expect(sent).rejects.toThrow(`550 5.7.1 ${sentence}`);
  }
  expect(await mayfly.end('SIGTERM')).toBe(0);
  const lines = mayfly.log().split('\n');
  const refusals = lines.filter((line) => line.includes(sentence));
  expect(refusals).toEqual([
    expect.stringMatching(/INFO.*: Refused: .*any domain\.$/),
    expect.stringMatching(/INFO.*: Refused: .*any domain\. \(2 more within a minute\)$/),
  ]);
  expect(mayfly.log()).toMatch(/kind: "foreign-domain"/);
  expect(mayfly.log()).not.toContain('secret-name');
});
