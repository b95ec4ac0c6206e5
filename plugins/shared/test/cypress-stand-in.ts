/**
 * The part of Cypress that cypress-mailpit and cypress-mailhog use: custom commands, `cy.request` as Cypress sends it,
 * and chaining. It runs the plugins' real code and sends real requests, without a browser.
 */

export class Chain<T> extends Promise<T> {
  its<K extends keyof T>(name: K): Chain<T[K]> {
    return this.then((value) => value[name]) as Chain<T[K]>;
  }
}

type Command = (...args: readonly unknown[]) => unknown;

interface RequestOptions {
  readonly method: string;
  readonly url: string;
  readonly qs?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly auth?: { readonly user: string; readonly pass: string };
  readonly failOnStatusCode?: boolean;
}

/** Defines the globals `Cypress` and `cy`. `settings` are the values of `Cypress.env` and the like. */
export function installCypress(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, Command>> {
  const commands: Record<string, Command> = {};
  const add = (name: string, ...more: readonly unknown[]) => {
    commands[name] = (...args) => Chain.resolve((more.at(-1) as Command)(...args));
  };
  const get = (name: string) => settings[name];
  const cy = {
    request,
    wrap: (value: unknown) => Chain.resolve(value),
    wait: (ms: number) => new Chain<void>((resolve) => setTimeout(resolve, ms)),
    env: (names: readonly string[]) => Chain.resolve(Object.fromEntries(names.map((name) => [name, settings[name]]))),
    verifyUpcomingAssertions: (value: unknown) => value,
  };
  Object.assign(globalThis, { Cypress: { Commands: { add }, env: get, config: get, expose: get }, cy });
  return commands;
}

/** Sends a request as Cypress does, and yields the response with its body parsed if it is JSON. */
function request({ method, url, qs = {}, body, auth, failOnStatusCode = true }: RequestOptions): Chain<object> {
  const target = new URL(url);
  for (const [name, value] of Object.entries(qs)) target.searchParams.set(name, String(value));
  const credentials = auth && Buffer.from(`${auth.user}:${auth.pass}`).toString('base64');
  const answered = fetch(target, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(credentials === undefined ? {} : { authorization: `Basic ${credentials}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).then(async (answer) => {
    const text = await answer.text();
    if (failOnStatusCode && !answer.ok) throw new Error(`cy.request: ${answer.status} ${text}`);
    const isJson = answer.headers.get('content-type')?.includes('application/json');
    return { status: answer.status, body: isJson ? JSON.parse(text) : text };
  });
  return Chain.resolve(answered) as Chain<object>;
}
