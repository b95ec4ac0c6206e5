import { MayflyError } from './wait/errors.js';
import { platform } from './wait/platform.js';

/** Frames of the client come before the caller's. */
const MAX_FRAMES = 50;

/** As V8 has it. */
interface ErrorClass extends ErrorConstructor {
  stackTraceLimit: number;
  captureStackTrace(error: Error): void;
}

const { process, document, Error: V8Error } = globalThis as unknown as Platform;

interface Platform {
  readonly Error: ErrorClass;
  readonly process?: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly versions?: { readonly node?: string };
  };
  readonly document?: unknown;
}

if (process?.versions?.node) {
  // Empty where the client is bundled into one file with other code.
  const stack = `${new Error().stack}`;
  const before = stack.slice(0, Math.max(stack.indexOf('in-node.js:'), 0));
  const folder = before.slice(Math.max(before.lastIndexOf(' '), before.lastIndexOf('(')) + 1);

  // Runners show the code of the first frame: that of the caller helps, and that of the client buries it.
  platform.trim = (error) => {
    if (!folder || process.env.MAYFLY_FULL_STACK) return;
    const { stackTraceLimit } = V8Error;
    V8Error.stackTraceLimit = MAX_FRAMES;
    V8Error.captureStackTrace(error);
    V8Error.stackTraceLimit = stackTraceLimit;
    // The name of its class is not set yet.
    const stack = `${error.stack}`.replace(/^\w+/, error.constructor.name);
    error.stack = stack.replace(/\n.*/g, (line) => (line.includes(folder) ? '' : line));
  };

  platform.checkIntercepted = async (...failure) => {
    const { interceptedBy } = await import('./wait/intercepted.js');
    const said = interceptedBy(...failure);
    if (said !== null) throw new MayflyError(said);
  };

  // The fetch of a test with a DOM keeps to the rules of a browser, and one may ask a proxy for this machine.
  platform.fetch = () =>
    document || /_proxy\b/i.test(Object.keys(process.env).join())
      ? async (...request) => (await import('./wait/node-fetch.js')).nodeFetch(...request)
      : globalThis.fetch;
}
