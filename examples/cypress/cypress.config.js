import { defineConfig } from 'cypress';
import { mayflyTasks } from 'mayfly-client/cypress/tasks';

export default defineConfig({
  e2e: {
    baseUrl: 'http://127.0.0.1:3000',
    setupNodeEvents(on) {
      on('task', mayflyTasks({ baseUrl: 'http://127.0.0.1:8080' }));
    },
  },
});
