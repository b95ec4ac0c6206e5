import { MayflyError, platform } from './wait/errors.js';

const MAX_FRAMES = 50;

const { process, document } = globalThis as { process?: NodeJS.Process; document?: unknown };

/** Tools that intercept the requests of tests: each tool's error message, its name, and how to let Mayfly through. */
const INTERCEPTORS: readonly (readonly [said: RegExp, tool: string, remedy: (host: string) => string])[] = [
  [
    /\[MSW\]/,
    "MSW (onUnhandledRequest: 'error')",
    (host) => `add this handler: http.all('http://${host}/*', () => passthrough())`,
  ],
  [/\bNock\b/, 'nock (disableNetConnect)', (host) => `call nock.enableNetConnect('${host}')`],
  [
    /Same Origin Policy/,
    'happy-dom, whose fetch you passed as the option fetch,',
    () => 'leave out the option fetch, or set happyDOM.settings.fetch.disableSameOriginPolicy',
  ],
];

function textOf(cause: unknown): string {
  const { message, cause: inner } = cause as Partial<Error>;
  return `${message} ${inner ? textOf(inner) : ''}`;
}

if (process?.versions?.node) {
  // The folder of the client's files, or empty if a bundler merged them with other code.
  const stack = `${new Error().stack}`;
  const before = stack.slice(0, Math.max(stack.indexOf('in-node.js:'), 0));
  const folder = before.slice(Math.max(before.lastIndexOf(' '), before.lastIndexOf('(')) + 1);

  // Runners print the code of the stack's first frame, which should be the caller's, not the client's.
  platform.trim = (error) => {
    if (!folder || process.env.MAYFLY_FULL_STACK) return;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = MAX_FRAMES;
    Error.captureStackTrace(error);
    Error.stackTraceLimit = stackTraceLimit;
    // The constructor sets the name later, so the stack still begins with `Error`.
    const stack = `${error.stack}`.replace(/^\w+/, error.constructor.name);
    error.stack = stack.replace(/\n.*/g, (line) => (line.includes(folder) ? '' : line));
  };

  platform.checkIntercepted = (cause, baseUrl) => {
    const said = textOf(cause);
    const [, tool, remedy] = INTERCEPTORS.find(([pattern]) => pattern.test(said)) ?? [];
    if (!tool || !remedy) return;
    throw new MayflyError(
      `A request to Mayfly at ${baseUrl} was stopped by ${tool} before it left the test. To let it through, ${remedy(new URL(baseUrl).host)}.`,
    );
  };

  // With a DOM, global `fetch` has a browser's limits. With a proxy variable, it may send local requests to the proxy.
  platform.fetch = () =>
    document || /_proxy\b/i.test(Object.keys(process.env).join())
      ? async (...request) => (await import('./wait/node-fetch.js')).nodeFetch(...request)
      : globalThis.fetch;
}
