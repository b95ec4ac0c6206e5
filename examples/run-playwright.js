// Runs examples/playwright with free ports and the Chromium of the system: that of the variable CHROMIUM, else Debian's.
// Without a Chromium it says so and does nothing; where CI is true it fails then.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const { CHROMIUM = '/usr/bin/chromium', CI } = process.env;

if (existsSync(CHROMIUM)) {
  process.exitCode = await runPlaywright();
} else {
  console.log(`The Playwright example was not run: there is no Chromium at ${CHROMIUM}. Install it, or set CHROMIUM.`);
  process.exitCode = CI === 'true' ? 1 : 0;
}

async function runPlaywright() {
  const [HTTP_PORT, SMTP_PORT, APP_PORT] = await freePorts(3);
  const playwright = spawn(process.execPath, [fileURLToPath(import.meta.resolve('@playwright/test/cli')), 'test'], {
    cwd: fileURLToPath(new URL('playwright', import.meta.url)),
    env: { ...process.env, CHROMIUM, HTTP_PORT, SMTP_PORT, APP_PORT },
    stdio: 'inherit',
  });
  const [exitCode] = await once(playwright, 'exit');
  return exitCode ?? 1;
}

/** All are held until the last one is found, so that they differ. */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => String(server.address().port));
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
