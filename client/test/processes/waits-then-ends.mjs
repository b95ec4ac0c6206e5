// Waits in every way and then does nothing more: the process must end by itself. Prints what each wait came to, and when.
import { Mayfly } from 'mayfly-client';

const [baseUrl, name, deadUrl] = process.argv.slice(2);
const inbox = new Mayfly({ baseUrl }).inbox(name);
const dead = new Mayfly({ baseUrl: deadUrl }).inbox(name);
const controller = new AbortController();

const waits = {
  found: () => inbox.waitForEmail(),
  filtered: () => inbox.waitForEmail({ subject: /one/ }),
  listed: () => inbox.emails(),
  exact: () => inbox.waitForEmails({ count: 1, settle: 100 }),
  quiet: () => inbox.expectNoEmail({ subject: 'nothing', within: 100 }),
  unexpected: () => inbox.expectNoEmail({ within: 10_000 }),
  late: () => inbox.waitForEmail({ subject: 'nothing', timeout: 300 }),
  dead: () => dead.waitForEmail({ timeout: 300 }),
  aborted: () => inbox.waitForEmail({ subject: 'nothing', signal: controller.signal }),
};
const running = Object.entries(waits).map(async ([wait, run]) => {
  const outcome = await run().then(
    () => 'fulfilled',
    (error) => error.name,
  );
  return [wait, outcome];
});
setTimeout(() => controller.abort(), 200);
console.log(JSON.stringify(Object.fromEntries(await Promise.all(running))));
const endedAt = performance.now();
process.on('exit', () => console.log(Math.round(performance.now() - endedAt)));
