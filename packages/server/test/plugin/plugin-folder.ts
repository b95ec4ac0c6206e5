import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../service/process.js';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));

/** Creates a folder for a user's plugins, in which `mayfly-inbox` is installed. */
export async function pluginFolder() {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder.path, 'node_modules'));
  await symlink(PACKAGE, path.join(folder.path, 'node_modules/mayfly-inbox'));
  await writeFile(path.join(folder.path, 'package.json'), '{ "type": "module" }');
  return {
    ...folder,
    /** Writes a file and returns its path. */
    async file(name: string, text: string): Promise<string> {
      const file = path.join(folder.path, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
      return file;
    },
  };
}

/** Returns the source of a plugin with this name and these members. */
export function pluginText(name: string, members = ''): string {
  return `import { definePlugin, kinds, one, optional, several, RequestError } from 'mayfly-inbox/plugin';
export default definePlugin({ name: '${name}', setUp() {}, ${members} });\n`;
}
