import { serveTasks } from './serve-tasks.js';
import { TASKS } from './tasks.js';

// The reading thread of the service. It begins when mail waits for it, which compiles reading as well as samples do.
serveTasks(TASKS);
