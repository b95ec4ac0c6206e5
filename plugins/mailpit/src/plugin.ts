import { definePlugin } from 'mayfly-inbox/plugin';
import { checkOpening } from 'mayfly-plugins-shared/opening';
import { LIMITS, SETTINGS, ERRORS as SHARED_ERRORS } from 'mayfly-plugins-shared/settings';
import { ERRORS } from './errors.js';

/** The API of Mailpit, for `--compat-api mailpit` (D42). */
export default definePlugin<typeof SETTINGS>({
  name: 'mailpit',
  settings: SETTINGS,
  errors: { http: { ...SHARED_ERRORS, ...ERRORS } },
  limits: LIMITS,
  optionalParts: [
    { path: /^\/(?:api\/v1|view)\/|^\/api\/events$/, part: 'The API of Mailpit', option: '--compat-api mailpit' },
  ],
  isOn: (settings) => settings['compat-api'] === 'mailpit',
  check: (settings) => (settings['compat-api'] === 'mailpit' ? checkOpening(settings) : null),
  tasks: async () => (await import('./mailpit-tasks.js')).TASKS,
  async setUp(host) {
    const { openMailpit } = await import('./mailpit-routes.js');
    openMailpit(host);
  },
});
