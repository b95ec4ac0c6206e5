/** What differs in Node, where in-node.ts fills it in: the inbox page does without. */
export const platform: {
  /** The `fetch` to use. */
  fetch?: () => typeof globalThis.fetch;
  /** Throws a `MayflyError` if something of the test itself kept a request from the service at this address. */
  checkIntercepted?: (cause: unknown, baseUrl: string) => void;
  /** What a request that had no answer says of its way. */
  way: string;
  /** Leaves the client's own frames out of an error's stack. */
  trim?: (error: Error) => void;
} = { way: '' };

/** What a test in Jest's jsdom is told. */
export const NO_DECODER =
  'This test runs in jsdom as Jest sets it up, without fetch and TextDecoder. Begin its file with "/** @jest-environment node */", or use the environment jest-fixed-jsdom.';
