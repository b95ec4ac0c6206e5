import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import '../../../packages/server/dist/plugin/installed.js';
import { readStartOptions } from '../../../packages/server/dist/settings/start-options.js';
import { availabilityForCallers, type OpeningSettings, openingSentence } from '../src/opening.js';
import { askFrom, basic, PATIENCE_MS, type RunningTool, startTool, WITH_KEY, WORKSPACE } from './compat-api.js';

const CALLERS = { compatApiCallers: ['10.0.0.0/8', '127.0.0.2'] };
const PROXY = { trustProxy: '127.0.0.1' };
const OPEN_HOST = { host: '0.0.0.0' };

const SEND = ' Send a key as "Authorization: Bearer <API_KEY>", or as the password of Basic authentication.';

/** Ways to send a request: directly, through the proxy 127.0.0.1, through an untrusted proxy, and with a key. */
const WAYS = {
  direct: {},
  caller: { from: '127.0.0.2' },
  forCaller: { headers: { 'x-forwarded-for': '10.1.2.3' } },
  forOther: { headers: { 'x-forwarded-for': '192.0.2.7' } },
  strangeProxy: { from: '127.0.0.3', headers: { 'x-forwarded-for': '10.1.2.3' } },
  keyed: { headers: basic(WORKSPACE.key) },
} as const;

type Way = keyof typeof WAYS;

/** Settings, who may call according to the start message and to the 401, and the `WAYS` that really succeed. */
const CASES: readonly (readonly [object, string, string, readonly Way[]])[] = [
  [{}, 'directly from localhost.', 'directly from localhost.', ['direct', 'caller']],
  [
    WITH_KEY,
    'directly from localhost or with a workspace API key.',
    `directly from localhost or with a workspace API key.${SEND}`,
    ['direct', 'caller', 'keyed'],
  ],
  [
    PROXY,
    'directly from localhost. A request from a trusted proxy (127.0.0.1) is refused.',
    'directly from localhost. A request from a trusted proxy (--trust-proxy) is refused.',
    ['caller'],
  ],
  [
    CALLERS,
    'directly from localhost. --compat-api-callers opens it to no one else, because --host 127.0.0.1 is only reachable from localhost.',
    'directly from localhost.',
    ['direct', 'caller'],
  ],
  [
    { ...WITH_KEY, ...CALLERS, ...PROXY },
    'directly from localhost or with a workspace API key. A request from a trusted proxy (127.0.0.1) needs the key, unless its X-Forwarded-For names a client at 10.0.0.0/8, 127.0.0.2.',
    `directly from localhost or with a workspace API key. A request from a trusted proxy (--trust-proxy) needs the key, unless its X-Forwarded-For names a client at an address in --compat-api-callers.${SEND}`,
    ['caller', 'forCaller', 'keyed'],
  ],
  [
    { ...OPEN_HOST, ...CALLERS },
    'directly from 10.0.0.0/8, 127.0.0.2.',
    'directly from an address in --compat-api-callers.',
    ['caller'],
  ],
  [{ ...OPEN_HOST, ...WITH_KEY, ...PROXY }, 'with a workspace API key.', `with a workspace API key.${SEND}`, ['keyed']],
  [
    { ...OPEN_HOST, ...CALLERS, ...PROXY },
    'directly from 10.0.0.0/8, 127.0.0.2. A request from a trusted proxy (127.0.0.1) is refused, unless its X-Forwarded-For names a client at 10.0.0.0/8, 127.0.0.2.',
    'directly from an address in --compat-api-callers. A request from a trusted proxy (--trust-proxy) is refused, unless its X-Forwarded-For names a client at an address in --compat-api-callers.',
    ['caller', 'forCaller'],
  ],
];

let tool: RunningTool;

afterEach(() => tool?.stop());

describe.each(CASES)('the compatibility API with %j', (options, toOperator, toCaller, answered) => {
  test('describes its callers in the warning at startup', () => {
    const settings = readStartOptions({ compatApi: 'mailpit', ...options }) as unknown as OpeningSettings;
    const those = 'workspace' in options ? '; those of a workspace only with its API key' : '';
    expect(openingSentence(settings)).toBe(
      `--compat-api mailpit lists every inbox${those}. It is available ${toOperator}`,
    );
    expect(availabilityForCallers(settings)).toBe(toCaller);
  });

  test(
    'serves only the callers listed in the startup warning, and lists them in the error for other callers',
    async () => {
      tool = await startTool('mailpit', options);
      for (const way of Object.keys(WAYS) as Way[]) {
        const answer = await askFrom(tool, WAYS[way]);
        const [status, body] = [answer.statusCode, await text(answer)];
        if (answered.includes(way)) expect([way, status]).toEqual([way, 200]);
        // Without workspaces, every key is unknown.
        else if (way === 'keyed')
          expect([way, status, body]).toEqual([way, 401, expect.stringContaining('is unknown')]);
        else {
          const error = `This endpoint shows every inbox. It is available only ${toCaller}`;
          expect([way, status, JSON.parse(body)]).toEqual([way, 401, { error }]);
        }
      }
    },
    PATIENCE_MS,
  );
});
