/** An answer that is there at once where this process has it itself, and later where it has to be asked for. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with an answer: at once where it is there, so that nobody waits for a turn of the event loop in vain. */
export function withAnswer<T, R>(answer: MaybePromise<T>, goOn: (answer: T) => MaybePromise<R>): MaybePromise<R> {
  return answer instanceof Promise ? answer.then(goOn) : goOn(answer);
}
