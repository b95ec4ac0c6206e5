/** What was taken from a sequence already, and then the rest of it. What has been handed on is taken out of `first`, and held no more. */
export async function* startingWith<T>(first: T[], rest: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  while (first.length > 0) yield first.shift() as T;
  yield* rest;
}
