import { expect as base } from '../fixtures/playwright.js';
import { type EmailMatcherFunctions, emailMatchers } from './matchers.js';

export const expect: ReturnType<typeof base.extend<EmailMatcherFunctions>> = base.extend(emailMatchers(base));
