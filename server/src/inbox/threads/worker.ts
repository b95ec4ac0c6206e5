import { sampleMail, WARM_UP_MAILS } from './sample-mail.js';
import { serveTasks } from './serve-tasks.js';
import { ingest, TASKS } from './tasks.js';

// The reading thread of the service.
const sample = sampleMail();
for (let mails = 0; mails < WARM_UP_MAILS; mails += 1) ingest(sample);
serveTasks(TASKS);
