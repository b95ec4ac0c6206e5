/** A promise's outcome; rejects with the error that `late` makes after `ms`. */
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

/** Calls a job again and again until the returned function is called. */
export function repeat(ms: number, job: () => unknown): () => void {
  const timer = setInterval(job, ms).unref();
  return () => clearInterval(timer);
}

/** Milliseconds since some moment, whatever the clock is set to. */
export function monotonic(): number {
  return performance.now();
}
