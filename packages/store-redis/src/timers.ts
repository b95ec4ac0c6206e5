/** Rejects with the error from `late` if the promise does not settle within `ms`. */
export async function within<T>(ms: number, promise: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

/** Runs a job every `ms`. Returns a function that stops the repetition. */
export function repeat(ms: number, job: () => unknown): () => void {
  const timer = setInterval(job, ms).unref();
  return () => clearInterval(timer);
}

/** Milliseconds, independent of changes to the system clock. */
export function monotonic(): number {
  return performance.now();
}
