// Writes the scripts of the store on Redis, the .lua files below packages/store-redis/src, into lua.ts beside them, each
// with its SHA-1, by which Redis finds a script. So the service needs no .lua files at run time.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = 'packages/store-redis/src';
const TARGET = path.join(FOLDER, 'lua.ts');

const scripts = readdirSync(FOLDER, { recursive: true })
  .filter((name) => name.endsWith('.lua'))
  .sort()
  .map((name) => {
    const text = readFileSync(path.join(FOLDER, name), 'utf8');
    const sha1 = createHash('sha1').update(text).digest('hex');
    return `  ${JSON.stringify(path.basename(name, '.lua'))}: { sha1: '${sha1}', text: ${JSON.stringify(text)} },\n`;
  });
const source = `// Made by tools/build-lua.js of the .lua files in the folders beside it.
export const LUA = {
${scripts.join('')}} as const;

export type ScriptName = keyof typeof LUA;
`;
if (!existsSync(TARGET) || readFileSync(TARGET, 'utf8') !== source) writeFileSync(TARGET, source);
