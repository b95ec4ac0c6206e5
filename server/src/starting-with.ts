/** What was taken from a sequence already, and then the rest of it. */
export async function* startingWith<T>(first: readonly T[], rest: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}
