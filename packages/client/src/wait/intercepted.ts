/** Tools that stop requests of a test, by what their errors say, and what lets those to Mayfly through. */
const INTERCEPTORS: readonly (readonly [said: RegExp, tool: string, remedy: (host: string) => string])[] = [
  [
    /\[MSW\]/,
    "MSW (onUnhandledRequest: 'error')",
    (host) => `add this handler: http.all('http://${host}/*', () => passthrough())`,
  ],
  [/\bNock\b/, 'nock (disableNetConnect)', (host) => `call nock.enableNetConnect('${host}')`],
  [
    /Same Origin Policy/,
    'happy-dom, whose fetch was given to Mayfly,',
    () => 'leave out the option fetch, or set happyDOM.settings.fetch.disableSameOriginPolicy',
  ],
];

/** What kept a request from Mayfly, and what lets it through; null where nothing of the test did. */
export function interceptedBy(cause: unknown, baseUrl: string): string | null {
  const said = textOf(cause);
  const found = INTERCEPTORS.find(([pattern]) => pattern.test(said));
  if (found === undefined) return null;
  const [, tool, remedy] = found;
  return `A request to Mayfly at ${baseUrl} was stopped by ${tool} before it left the test. To let it through, ${remedy(new URL(baseUrl).host)}.`;
}

function textOf(cause: unknown): string {
  const { message, cause: inner } = cause as Partial<Error>;
  return `${message} ${inner ? textOf(inner) : ''}`;
}
