// Runs jobs with each provider's SDK for Node (../jobs.ts): reads a JSON list of jobs, writes a JSON list of results.
import { text } from 'node:stream/consumers';
import * as mailgun from './mailgun.js';
import * as postmark from './postmark.js';
import * as resend from './resend.js';
import * as sendgrid from './sendgrid.js';
import * as ses from './ses.js';

const calls = { ...resend.calls, ...sendgrid.calls, ...postmark.calls, ...mailgun.calls, ...ses.calls };

const outcomes = [];
for (const job of JSON.parse(await text(process.stdin))) {
  const { [job.call]: call, failure } = calls[job.sdk];
  outcomes.push(
    await call(job).then(
      (ids) => ({ ids }),
      (error) => ({ error: failure(error) }),
    ),
  );
}
process.stdout.write(JSON.stringify(outcomes));
