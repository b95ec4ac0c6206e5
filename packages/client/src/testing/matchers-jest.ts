import { MayflyError } from '../wait/errors.js';
import { type EmailMatcherFunctions, type EmailMatchers, emailMatchers } from './matchers.js';

declare global {
  namespace jest {
    // Type parameters must match those of Jest's own declaration.
    interface Matchers<R, T> extends EmailMatchers<R> {}
  }
}

type JestExpect = Parameters<typeof emailMatchers>[0] & { extend(matchers: EmailMatcherFunctions): void };

const { expect } = globalThis as { expect?: JestExpect };
if (expect === undefined) {
  throw new MayflyError('mayfly-client/matchers/jest belongs in setupFilesAfterEnv of Jest, with injectGlobals on.');
}
expect.extend(emailMatchers(expect));
