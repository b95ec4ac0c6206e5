import { expect as base } from '../fixtures/playwright.js';
import { type EmailMatcherFunctions, emailMatchers } from './matchers.js';

/** Playwright's `expect` with the matchers for emails. */
export const expect: ReturnType<typeof base.extend<EmailMatcherFunctions>> = base.extend(emailMatchers(base));
