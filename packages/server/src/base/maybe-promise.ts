/** An answer at hand, or a promise of one that must be fetched. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with an answer, at once if it is at hand: nothing waits for a turn of the event loop in vain. */
export function withAnswer<T, R>(answer: MaybePromise<T>, goOn: (answer: T) => MaybePromise<R>): MaybePromise<R> {
  return answer instanceof Promise ? answer.then(goOn) : goOn(answer);
}

/** First what was already taken from a sequence, then its rest. Items leave `first` as they are yielded. */
export async function* startingWith<T>(first: T[], rest: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  while (first.length > 0) yield first.shift() as T;
  yield* rest;
}
