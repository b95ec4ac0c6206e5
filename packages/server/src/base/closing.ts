import type { Log } from './log.js';

type Close = () => Promise<void>;

export type Closing = ReturnType<typeof closingOf>;

function closingOf(log: Log) {
  const steps: (readonly [name: string, close: Close])[][] = [];
  const failed: string[] = [];
  const errors: unknown[] = [];
  let closed: Promise<void> | null = null;

  async function closeAll(): Promise<void> {
    for (const step of steps.reverse()) {
      const closings = step.map(async ([name, close]) => {
        try {
          await close();
        } catch (error) {
          log.error({ err: error }, `Closing ${name} failed.`);
          failed.push(name);
          errors.push(error);
        }
      });
      await Promise.all(closings);
    }
    if (failed.length === 0) return;
    const parts = failed.join(' and ');
    throw new AggregateError(errors, `Mayfly did not stop cleanly: closing ${parts} failed. See the log.`);
  }

  return {
    add: (name: string, close: Close): void => void steps.push([[name, close]]),
    /** Adds a part that closes at the same time as the part added before it. */
    addBeside: (name: string, close: Close): void => void steps.at(-1)?.push([name, close]),
    /** Closes all parts, the last added first. Logs failures, and rejects at the end if there were any. Idempotent. */
    all(): Promise<void> {
      closed ??= closeAll();
      return closed;
    },
  };
}

/** If `start` fails, closes the parts that have started, logs their failures, and throws the error of `start`. */
export async function closedOnFailure<T>(log: Log, start: (closing: Closing) => Promise<T>): Promise<T> {
  const closing = closingOf(log);
  try {
    return await start(closing);
  } catch (error) {
    await closing.all().catch(() => {});
    throw error;
  }
}
