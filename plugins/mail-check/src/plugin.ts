import { addInspectionRoute, definePlugin } from 'mayfly-inbox/plugin';

export default definePlugin({
  name: 'mail-check',
  // Imported late, so that the data of email clients is loaded at the first check.
  tasks: async () => (await import('./check-mail.js')).TASKS,
  setUp(host) {
    host.addRoutes({
      add(app, { records, access, task }) {
        addInspectionRoute(app, records, access, { segment: 'check', work: task('check', null) });
      },
    });
  },
});
