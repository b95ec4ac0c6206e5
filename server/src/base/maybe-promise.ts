/** An answer that is there at once if this process has it, and later if it must ask for it. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with an answer, at once if it is there: nothing waits for a turn of the event loop in vain. */
export function withAnswer<T, R>(answer: MaybePromise<T>, goOn: (answer: T) => MaybePromise<R>): MaybePromise<R> {
  return answer instanceof Promise ? answer.then(goOn) : goOn(answer);
}

/** First what was already taken from a sequence, then its rest. Items leave `first` as they are handed on. */
export async function* startingWith<T>(first: T[], rest: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  while (first.length > 0) yield first.shift() as T;
  yield* rest;
}
