// Runs the recipes of docs/applications.md. Each application sends an email to Mayfly, which must find its code or link.
// "node examples/applications/run.js django rails" runs only those two. CI runs the recipes that download little.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Mayfly } from 'mayfly-client';
import { startMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** Time limit for a recipe. It is long because Maven downloads Spring. */
const MAX_MS = 600_000;

const CODE = /^482913$/;

/** The commands of a Django recipe. Each recipe has its own virtual environment, for its version of Django. */
const DJANGO = [
  ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
  // Turns deprecation warnings into errors, so that a setting that Django will remove is noticed.
  ['venv/bin/python', '-W', 'error::DeprecationWarning', '-W', 'error::PendingDeprecationWarning', 'send.py'],
];

/** Checks the types of a recipe, because users copy it into TypeScript. */
const typed = (file) => [
  ...[process.execPath, TSC, '--noEmit', '--allowJs', '--checkJs', '--strict', '--skipLibCheck'],
  ...['--module', 'nodenext', '--target', 'es2023', '--types', 'node', file],
];

/**
 * The commands that prepare and run each recipe, and the expected contents of its email. The script for Maestro reads an
 * email instead of sending one.
 */
const RECIPES = {
  // This recipe is skipped if its first command finds no Python that is new enough.
  django: { commands: [['bash', 'make-venv.sh'], ...DJANGO], isOptional: true, otp: CODE },
  'django-5': { commands: [['python3', '-m', 'venv', 'venv'], ...DJANGO], otp: CODE },
  rails: { commands: [['ruby', 'send.rb']], otp: CODE },
  spring: {
    commands: [['mvn', '--quiet', '--batch-mode', 'compile', 'exec:java', '-Dexec.mainClass=app.Application']],
    otp: CODE,
  },
  authjs: {
    commands: [[process.execPath, 'send.mjs']],
    magicLink: /^http:\/\/127\.0\.0\.1:3000\/auth\/callback\/nodemailer\?/,
  },
  'better-auth': { commands: [typed('auth.mjs'), [process.execPath, 'send.mjs']], otp: /^\d{6}$/ },
  maestro: { commands: [[process.execPath, 'run.mjs']], isReader: true, otp: CODE },
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(RECIPES);
const unknown = names.filter((name) => !Object.hasOwn(RECIPES, name));
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: unknown recipe. Choose from ${Object.keys(RECIPES).join(', ')}.`);
  process.exit(2);
}

const service = await startMayfly();
const mayfly = new Mayfly({ baseUrl: service.url });
const project = mkdtempSync(path.join(tmpdir(), 'mayfly-applications-'));
try {
  cpSync(HERE, project, { recursive: true, filter: (source) => path.basename(source) !== 'node_modules' });
  // Copies quickly if the file system can share the blocks of files.
  execFileSync('cp', ['-a', '--reflink=auto', path.join(HERE, 'node_modules'), project]);
  for (const name of names) await run(name);
} finally {
  rmSync(project, { recursive: true, force: true });
  await service.stop();
}

async function run(name) {
  const { commands, isReader, isOptional, ...wanted } = RECIPES[name];
  const inbox = mayfly.createInbox();
  if (isReader) {
    const mail = { from: 'app@example.test', to: inbox.address, subject: 'Welcome', text: 'Your code is 482913' };
    await createTransport(service.smtp).sendMail(mail);
  }
  const { host, port } = service.smtp;
  const where = {
    ...{ SMTP_HOST: host, SMTP_PORT: `${port}`, TO: inbox.address, MAYFLY_URL: service.url, INBOX: inbox.name },
    EMAIL_SERVER: `smtp://${host}:${port}`,
    BETTER_AUTH_URL: 'http://127.0.0.1:3000',
  };
  let output = '';
  for (const [program, ...args] of commands) {
    const child = spawn(program, args, {
      cwd: path.join(project, name),
      env: { ...process.env, ...where },
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: MAX_MS,
    });
    output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    const [exitCode] = await once(child, 'close');
    if (exitCode !== 0 && isOptional && program === 'bash') return;
    if (exitCode !== 0) throw new Error(`${name}: "${program}" exited with ${exitCode}: ${output}`);
  }
  const email = isReader ? { otp: output.trim() } : await inbox.waitForEmail();
  for (const [field, pattern] of Object.entries(wanted)) {
    if (!pattern.test(email[field] ?? '')) throw new Error(`${name}: the ${field} is ${email[field]}.`);
  }
  console.log(`${name}: ${Object.keys(wanted).map((field) => email[field])}`);
}
