import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { waitForEmailInput, waitForEmailOutput } from '../src/schemas.js';
import { checkInbox, createInbox, getEmailTool, waitForEmailTool } from '../src/tools.js';

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

const PAGE = read('docs/agents.md');

const examples = [...PAGE.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json = '']) => json);

/** An entry of a host's configuration. */
interface Entry {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
  readonly httpUrl?: string;
}

describe('docs/agents.md', () => {
  test('shows only JSON configurations that run "npx -y mayfly-inbox mcp" or connect to /mcp', () => {
    expect(examples.length).toBeGreaterThanOrEqual(4);
    for (const json of examples) {
      const { mcpServers, servers } = JSON.parse(json) as Record<string, Record<string, Entry>>;
      const { mayfly } = (mcpServers ?? servers) as { mayfly: Entry };
      if (mayfly.command === undefined) expect(mayfly.url ?? mayfly.httpUrl).toMatch(/^https?:\/\/[^/]+\/mcp$/);
      else expect([mayfly.command, ...(mayfly.args ?? [])].join(' ')).toBe('npx -y mayfly-inbox mcp');
    }
  });

  test('lists every tool with its arguments and results', () => {
    const rows = PAGE.split('\n').filter((line) => /^\| `[a-z]+_[a-z_]+` \|/.test(line));
    const named = (text: string) => [...text.matchAll(/`([a-z_]+)\??`/g)].map(([, name]) => name);
    const all = [createInbox, waitForEmailTool, checkInbox, getEmailTool];
    expect(rows.map((row) => named(row)[0])).toEqual(all.map(({ name }) => name));
    for (const [i, { input, output, name }] of all.entries()) {
      const row = named(rows[i] ?? '');
      for (const field of Object.keys(input.shape)) expect(row, name).toContain(field);
      if (name !== 'get_email') for (const field of Object.keys(output.shape)) expect(row, name).toContain(field);
    }
    expect(PAGE).toContain(
      `\`timeout_seconds?\` (${waitForEmailInput.shape.timeout_seconds.parse(undefined)}; 1 to 50)`,
    );
    expect(Object.keys(waitForEmailOutput.shape)).toContain('advice');
  });
});

test('server.json has the name and version of the published package', () => {
  const entry = JSON.parse(read('server.json'));
  const { name, version, mcpName } = JSON.parse(read('packages/server/package.json'));
  expect(entry).toMatchObject({ name: mcpName, version, packages: [{ identifier: name, version }] });
  expect(entry.description.length).toBeLessThanOrEqual(100);
});
