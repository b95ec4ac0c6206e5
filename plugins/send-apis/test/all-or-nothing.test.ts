import { describe, expect, test } from 'vitest';
import { freshAddress, serviceOfFile } from './provider.js';
import { NAMES, REQUESTS, send } from './requests.js';

const service = await serviceOfFile({ maxEmails: 2, smtpLimit: 'off' });

/** Returns addresses of which the middle one occurs three times, but its inbox accepts only two messages. */
function fillsMidway() {
  const [before, full, behind] = [freshAddress(), freshAddress(), freshAddress()];
  return { before, full, behind, all: [before, full, full, full, behind] };
}

const countOf = async (address: string) => (await service.emails(address)).length;

describe.each(NAMES.filter((name) => REQUESTS[name].strict !== null))('a strict batch of %s', (name) => {
  const { strict, isError, mail } = REQUESTS[name];

  test('keeps no mail if an inbox becomes full midway', async () => {
    const { before, full, behind, all } = fillsMidway();
    // SendGrid and Mailgun return one result for all messages to an address.
    const answer = await send(service.url, (strict as NonNullable<typeof strict>)(all));
    expect(answer.ok).toBe(false);
    expect(isError(await answer.text(), answer.headers)).toBe(true);
    expect([await countOf(before), await countOf(full), await countOf(behind)]).toEqual([0, 0, 0]);
    // The rejected batch uses no room in the inbox, which still accepts two messages.
    for (let times = 0; times < 2; times += 1) expect((await send(service.url, mail(full))).ok).toBe(true);
  });
});

describe.each(NAMES.filter((name) => REQUESTS[name].permissive !== null))('a permissive batch of %s', (name) => {
  const { permissive, sentOf } = REQUESTS[name];
  const each = permissive as NonNullable<typeof permissive>;

  test('reports for each message whether it was sent', async () => {
    const { before, full, behind, all } = fillsMidway();
    const answer = await send(service.url, each(all));
    expect([answer.status, sentOf(await answer.text())]).toEqual([200, 4]);
    expect([await countOf(before), await countOf(full), await countOf(behind)]).toEqual([1, 2, 1]);
  });

  test('reports with status 200 that its only message was not sent', async () => {
    const answer = await send(service.url, each(['a@else.test']));
    expect([answer.status, sentOf(await answer.text())]).toEqual([200, 0]);
  });
});
