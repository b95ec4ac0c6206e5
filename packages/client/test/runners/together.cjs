// Shared by the tests of every runner: sends a code, and waits until the other file's test is also running.
const { existsSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');
const { createTransport } = require('nodemailer');

const { MEETING_FOLDER, MAYFLY_RUN, MAYFLY_URL, MAYFLY_DOMAIN, SMTP_HOST, SMTP_PORT } = process.env;

/** How long to wait for the other test. */
const MEETING_TIMEOUT_MS = 60_000;

const sendMail = async (address, subject, text) => {
  const transport = createTransport({ host: SMTP_HOST, port: Number(SMTP_PORT) });
  await transport.sendMail({ from: 'app@app.test', to: address, subject, text });
};

const sendCode = (address, code) => sendMail(address, 'Welcome', `Your code is ${code}`);
exports.sendCode = sendCode;

/** Resolves when the service has recorded a failed test of the run. */
const untilOneFailed = async () => {
  for (let failed = 0; failed === 0; ) {
    const answer = await fetch(`${MAYFLY_URL}/api/run/${MAYFLY_RUN}`);
    failed = (await answer.json()).counts.failed;
  }
};

/** Two tests for any runner: the first fails without a code, then the second sends a code to the same inbox. */
exports.testLateMail = (test, expect) => {
  test('fails because no code arrives in time', async ({ mayfly }) => {
    const inbox = mayfly.inbox('late');
    await sendMail(inbox.address, 'Hello', 'Hello there');
    await inbox.waitForEmail({ subject: 'Hello' });
    await inbox.waitForOtp({ timeout: 500 });
  });

  test('sends a code to the inbox of the failed test', async ({ mayfly }) => {
    await untilOneFailed();
    const inbox = mayfly.inbox('late');
    await sendCode(inbox.address, '482913');
    expect(await inbox.waitForOtp()).toBe('482913');
  });
};

/** Writes down what this test received, and waits until the other test has done the same. */
exports.meet = async (name, other, address) => {
  const fileOf = (test) => path.join(MEETING_FOLDER, `${test}.json`);
  const seen = {
    process: process.pid,
    url: MAYFLY_URL,
    domain: MAYFLY_DOMAIN,
    host: SMTP_HOST,
    port: SMTP_PORT,
    address,
  };
  writeFileSync(`${fileOf(name)}.part`, JSON.stringify(seen));
  renameSync(`${fileOf(name)}.part`, fileOf(name));
  const end = Date.now() + MEETING_TIMEOUT_MS;
  while (!existsSync(fileOf(other))) {
    if (Date.now() > end) throw new Error(`${other} did not come`);
    await pause(50);
  }
};
