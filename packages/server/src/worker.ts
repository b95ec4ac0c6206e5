import { serveTasks } from './inbox/threads/serve-tasks.js';
import { tasks } from './inbox/threads/tasks.js';

// A parser thread of the service. It begins when mail waits for it, which compiles reading as well as samples do.
serveTasks(
  tasks(async (bytes, work) => {
    const { runPluginTask } = await import('./plugin/plugin-tasks.js');
    return runPluginTask(bytes, work);
  }),
);
