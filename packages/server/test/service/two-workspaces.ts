import { Mayfly } from 'mayfly-client';
import { type RunningMayfly, transportTo } from './process.js';

/** The credentials of two projects that mail the same address. */
export const [ONE, TWO] = ['run-1:secret-of-one', 'run-2:secret-of-two'] as const;

export const ADDRESS = 'alice@app.example';

/** Texts that only the first project may see. */
export const MARKS = ['739164', 'Only for one', 'one@app.example', 'token-of-one'];

export const SENDER = 'one@app.example';

export function authOf(pair: string) {
  const [user, pass] = pair.split(':') as [string, string];
  return { user, pass };
}

export const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

/** Returns the client for an ad-hoc workspace; undefined means no workspace. */
export const mayflyOf = ({ url }: RunningMayfly, adHoc: string | undefined) =>
  new Mayfly({ baseUrl: url, credentials: adHoc });

export interface Sent {
  readonly to: string | readonly string[];
  readonly subject: string;
  readonly code?: string;
  readonly from?: string;
}

/** Sends a message as the application of an ad-hoc workspace; null means no workspace. */
export async function sendIn(mayfly: RunningMayfly, pair: string | null, { to, from = 'a@app.test', ...mail }: Sent) {
  const smtp = transportTo(mayfly, pair === null ? {} : { auth: authOf(pair) });
  const { subject, code = '111111' } = mail;
  const link = `https://app.example/verify?token=token-of-${from.split('@')[0]}`;
  const html = `<p>Your code is ${code}</p><a href="${link}">Verify</a>`;
  const text = `Your code is ${code}. Or open ${link}`;
  const list = { unsubscribe: link };
  await smtp.sendMail({ from, to: [to].flat(), subject, text, html, list }).finally(() => smtp.close());
}

/** Sends a message that contains every text in `MARKS`. */
export const sendOne = (mayfly: RunningMayfly, to = ADDRESS) =>
  sendIn(mayfly, ONE, { to, subject: 'Only for one', code: '739164', from: SENDER });

/** In 50 concurrent runs, sends one user a code. Resolves to the code that each run reads, and its number of emails. */
export async function fiftyRuns({
  sentTo,
  readAt,
}: {
  readonly sentTo: RunningMayfly;
  readonly readAt: RunningMayfly;
}) {
  const runs = Array.from({ length: 50 }, (_, n) => ({ pair: `ci:password-of-${n}`, code: `${100_000 + n}` }));
  const read = await Promise.all(
    runs.map(async ({ pair, code }) => {
      const inbox = mayflyOf(readAt, pair).inbox('seeded-user@app.example');
      const [otp] = await Promise.all([
        inbox.waitForOtp({ timeout: 60_000 }),
        sendIn(sentTo, pair, { to: inbox.address, subject: 'Hello', code }),
      ]);
      return [otp, (await inbox.emails()).length];
    }),
  );
  return { read, sent: runs.map(({ code }) => [code, 1]) };
}
