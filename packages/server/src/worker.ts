import { serveTasks } from './inbox/threads/serve-tasks.js';
import { tasks } from './inbox/threads/tasks.js';

// A parser thread of the service.
serveTasks(
  tasks(async (bytes, work) => {
    const { runPluginTask } = await import('./plugin/plugin-tasks.js');
    return runPluginTask(bytes, work);
  }),
);
