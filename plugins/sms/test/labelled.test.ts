import { explain } from 'mayfly-mail';
import { expect, test } from 'vitest';
import setAside from './labelled/set-aside.json' with { type: 'json' };
import tuned from './labelled/tuned.json' with { type: 'json' };

interface Labelled {
  readonly text: string;
  readonly otp: string | null;
  readonly magicLink?: string;
}

const HEAD = 'MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n';

const foundIn = ({ text }: Labelled) => {
  const { otp, magicLink } = explain(HEAD + text);
  return { otp, magicLink };
};

const isRight = (one: Labelled) => {
  const { otp, magicLink } = foundIn(one);
  return otp === one.otp && magicLink === (one.magicLink ?? null);
};

test.each<Labelled>(tuned)('finds the code and the link of the text $text', (one) => {
  expect(foundIn(one)).toEqual({ otp: one.otp, magicLink: one.magicLink ?? null });
});

// Tuning must not consider these texts, so the test does not name the wrong one.
test('29 of the 30 texts that are set aside have the right code and link', () => {
  expect(setAside.filter(isRight).length).toBeGreaterThanOrEqual(29);
});
