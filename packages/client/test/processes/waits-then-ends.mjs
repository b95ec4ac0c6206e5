// Runs every kind of wait and then nothing more, so the process must exit by itself. Prints the result of each wait and
// the remaining timers.
import { Mayfly } from 'mayfly-client';

const [baseUrl, name, deadUrl] = process.argv.slice(2);
const inbox = new Mayfly({ baseUrl, timeout: 86_400_000 }).inbox(name);
const dead = new Mayfly({ baseUrl: deadUrl }).inbox(name);
const controller = new AbortController();

const waits = {
  found: () => inbox.waitForEmail(),
  filtered: () => inbox.waitForEmail({ subject: /one/ }),
  listed: () => inbox.emails(),
  exact: () => inbox.waitForEmails({ count: 1, settle: 100 }),
  quiet: () => inbox.expectNoEmail({ subject: 'nothing', within: 100 }),
  unexpected: () => inbox.expectNoEmail({ within: 86_400_000 }),
  late: () => inbox.waitForEmail({ subject: 'nothing', timeout: 5_000 }),
  // Long enough for a busy machine to see the refused connection in time.
  dead: () => dead.waitForEmail({ timeout: 3_000 }),
  aborted: () => inbox.waitForEmail({ subject: 'nothing', signal: controller.signal }),
};
const running = Object.entries(waits).map(async ([wait, run]) => {
  const outcome = await run().then(
    () => 'fulfilled',
    (error) => error.name,
  );
  return [wait, outcome];
});
const others = running.slice(0, -1);
Promise.all(others).then(() => controller.abort());
console.log(JSON.stringify(Object.fromEntries(await Promise.all(running))));
console.log(JSON.stringify(process.getActiveResourcesInfo().filter((name) => name === 'Timeout')));
