/** First what was already taken from a sequence, then its rest. Items leave `first` as they are yielded. */
export async function* startingWith<T>(first: T[], rest: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  while (first.length > 0) yield first.shift() as T;
  yield* rest;
}
