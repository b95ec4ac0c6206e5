import { serveTasks, tasks } from './inbox/threads/tasks.js';

serveTasks(
  tasks(async (bytes, work) => {
    const { runPluginTask } = await import('./plugin/plugin-module.js');
    return runPluginTask(bytes, work);
  }),
);
