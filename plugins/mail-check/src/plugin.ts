import { definePlugin } from 'mayfly-inbox/plugin';
import { addCheckRoute } from './check-route.js';

export default definePlugin({
  name: 'mail-check',
  // Loads the data of email clients at the first check.
  tasks: async () => (await import('./check-mail.js')).TASKS,
  setUp(host) {
    host.addRoutes({ add: addCheckRoute });
  },
});
