/** Calls `late` where a promise takes longer than so many milliseconds, and gives what becomes of it. */
export async function noticingDelay<T>(ms: number, promise: Promise<T>, late: () => void): Promise<T> {
  const timer = setTimeout(late, ms);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves so many milliseconds later. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
