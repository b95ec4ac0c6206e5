import { definePlugin } from 'mayfly-inbox/plugin';
import { checkOpening } from 'mayfly-plugins-shared/opening';
import { ERRORS, LIMITS, SETTINGS } from 'mayfly-plugins-shared/settings';

/** The API of MailHog, for `--compat-api mailhog` (D42). */
export default definePlugin<typeof SETTINGS>({
  name: 'mailhog',
  settings: SETTINGS,
  errors: { http: ERRORS },
  limits: LIMITS,
  optionalParts: [
    { path: /^\/api\/v2\//, part: 'The API of MailHog', option: '--compat-api mailhog' },
    {
      path: /^\/api\/v1\/(?:messages|events)\/?$/,
      part: 'The API of Mailpit and MailHog',
      option: '--compat-api mailpit or --compat-api mailhog',
    },
  ],
  isOn: (settings) => settings['compat-api'] === 'mailhog',
  check: (settings) => (settings['compat-api'] === 'mailhog' ? checkOpening(settings) : null),
  tasks: async () => (await import('./read-mailhog.js')).TASKS,
  async setUp(host) {
    const { openMailhog } = await import('./mailhog-routes.js');
    openMailhog(host);
  },
});
