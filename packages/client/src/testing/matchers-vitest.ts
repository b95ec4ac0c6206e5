import { expect } from '../fixtures/vitest.js';
import { type EmailMatchers, emailMatchers } from './matchers.js';

declare module 'vitest' {
  interface Matchers<T> extends EmailMatchers {}
}

expect.extend(emailMatchers(expect));
