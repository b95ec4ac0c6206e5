import { compose } from './compose.js';
import { sampleMail } from './sample-mail.js';
import { serveTasks } from './serve-tasks.js';
import { TASKS } from './tasks.js';

/** After so many sample mails, reading is compiled well enough. */
const WARM_UP_MAILS = 30;

// The reading thread of the service.
const sample = { raw: sampleMail(), envelopeFrom: '', generatedId: '<sample@mayfly.invalid>' };
for (let mails = 0; mails < WARM_UP_MAILS; mails += 1) compose(sample);
serveTasks(TASKS);
