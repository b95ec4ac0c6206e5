import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { CODE, ERRORS, type Job, LIMITS, REFUSED, refusedWith, SDKS, SENDING, sendingWith } from './jobs.js';
import { freshAddress, PATIENCE_MS, type RunningService, startService } from './provider.js';
import { carryOut, type Language, type Outcome, RUN_MS } from './sdk-programs.js';

interface SdkJob extends Job {
  readonly sdk: string;
}

let service: RunningService;
/** A service whose message limit for this client is exhausted. */
let exhausted: RunningService;

beforeAll(async () => {
  service = await startService(LIMITS);
  exhausted = await startService({ smtpLimit: '1/1h' });
  await exhausted.post('/emails', {});
}, PATIENCE_MS);
afterAll(() => Promise.all([service?.stop(), exhausted?.stop()]));

/** Returns the jobs of a language by SDK and case. */
async function jobsIn(language: Language): Promise<Map<string, SdkJob>> {
  const jobs = new Map<string, SdkJob>();
  for (const sdk of SDKS.filter((one) => one.language === language)) {
    for (const [, name] of sendingWith(sdk)) {
      jobs.set(`${sdk.sdk} ${name}`, { ...(await SENDING[name].job(freshAddress())), sdk: sdk.sdk });
    }
    for (const [, name] of refusedWith(sdk)) {
      const to = freshAddress();
      if (name === 'full') await fill(to);
      jobs.set(`${sdk.sdk} ${name}`, { ...REFUSED[name](to), sdk: sdk.sdk });
    }
  }
  return jobs;
}

async function fill(to: string): Promise<void> {
  for (let sent = 0; sent < LIMITS.maxEmails; sent += 1) {
    await service.post('/emails', { from: 'app@acme.test', to, subject: 'Hi', text: 'Hi' });
  }
}

/** Defines the tests of a language: each of its SDKs sends messages and has some rejected. */
export function describeSdks(language: Language, need: string): void {
  describe(language, needs(need), () => {
    let jobs: Map<string, SdkJob>;
    const outcomes = new Map<string, Outcome>();

    beforeAll(async () => {
      jobs = await jobsIn(language);
      const isLimited = ([key]: [string, SdkJob]) => key.endsWith(' rate');
      await run(
        [...jobs].filter((entry) => !isLimited(entry)),
        service.url,
      );
      await run([...jobs].filter(isLimited), exhausted.url);
    }, 2 * RUN_MS);

    async function run(entries: readonly [string, SdkJob][], url: string): Promise<void> {
      const found = await carryOut(
        language,
        entries.map(([, job]) => job),
        url,
      );
      for (const [at, [key]] of entries.entries()) outcomes.set(key, found[at] ?? {});
    }

    describe.each(SDKS.filter((sdk) => sdk.language === language))('$provider with $sdk', (sdk) => {
      test.each(sendingWith(sdk))('sends this kind of message: %s', async (_, name) => {
        const { ids = [], error } = outcomes.get(`${sdk.sdk} ${name}`) ?? {};
        expect(error).toBeUndefined();
        const job = jobs.get(`${sdk.sdk} ${name}`) as SdkJob;
        const to = job.to[0]?.email ?? '';
        expect(await service.client.inbox(to).waitForOtp()).toBe(job.each[0]?.code ?? CODE);
        const told = ids.map((id) => id.replace(/^<|@.*$/g, ''));
        for (const address of job.each.length > 0 ? job.each.map(({ email }) => email) : [to]) {
          const [{ id }] = await service.emails(address);
          expect(told.filter((part) => id.includes(part))).toHaveLength(1);
        }
        const email = await service.client.inbox(to).waitForEmail();
        await SENDING[name].check({ job, service, email, parts: await service.parts(to) });
      });

      test.each(refusedWith(sdk))('reports a rejection for this reason: %s', (_, name) => {
        const { status, code, message } = ERRORS[sdk.provider]?.[name] ?? {};
        const told = (field: string, value: unknown) => (sdk.untold.includes(field) ? null : value);
        expect(outcomes.get(`${sdk.sdk} ${name}`)?.error).toEqual({
          type: told('type', sdk.types[name] ?? sdk.types.others ?? code),
          status: told('status', status),
          code: told('code', code),
          message: expect.stringMatching(message ?? 'an error of this provider'),
        });
      });
    });
  });
}
