// Writes the scripts of the store on Redis, in the .lua files of packages/store-redis/src, into lua.ts next to them, each
// with its SHA-1, by which Redis finds a script. So the service needs no .lua files at run time.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = 'packages/store-redis/src';
const TARGET = path.join(FOLDER, 'lua.ts');

const scripts = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.lua'))
  .sort()
  .flatMap((file) => {
    const [, ...parts] = readFileSync(path.join(FOLDER, file), 'utf8').split(/^-- Script: (\S+)\n/m);
    return parts.flatMap((name, i) => (i % 2 === 0 ? [[name, parts[i + 1]]] : []));
  })
  .map(([name, text]) => {
    const sha1 = createHash('sha1').update(text).digest('hex');
    return `  ${JSON.stringify(name)}: { sha1: '${sha1}', text: ${JSON.stringify(text)} },\n`;
  });
const source = `// Made by tools/build-lua.js of the .lua files next to it.
export const LUA = {
${scripts.join('')}} as const;

export type ScriptName = keyof typeof LUA;
`;
if (!existsSync(TARGET) || readFileSync(TARGET, 'utf8') !== source) writeFileSync(TARGET, source);
