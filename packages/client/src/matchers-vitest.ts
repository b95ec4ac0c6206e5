import { type EmailMatchers, emailMatchers } from './matchers.js';
import { expect } from './vitest.js';

declare module 'vitest' {
  interface Matchers<T> extends EmailMatchers {}
}

expect.extend(emailMatchers(expect));
