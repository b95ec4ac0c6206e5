import { definePlugin } from 'mayfly-inbox/plugin';
import { ERRORS } from './errors.js';

export default definePlugin({
  name: 'mail-import',
  errors: { http: ERRORS },
  async setUp(host) {
    const { addImportRoute } = await import('./import-route.js');
    host.addRoutes({ add: (app, service) => addImportRoute(app, service, host.settings) });
  },
});
