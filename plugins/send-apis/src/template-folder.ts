import { access, constants, opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { SettingsError, whyUnreadable } from 'mayfly-inbox/plugin';
import { FILE_ENDINGS, MAX_FILE_BYTES } from './templates.js';

const MAX_FILES = 10_000;

/** Rejects with a `SettingsError` if the folder or one of its templates is unusable. */
export async function checkTemplates(folder: string): Promise<void> {
  let file = folder;
  try {
    let files = 0;
    for await (const { name } of await opendir(folder)) {
      files += 1;
      if (files > MAX_FILES) throw new SettingsError(`--templates: ${folder} has more than ${MAX_FILES} files.`);
      if (!FILE_ENDINGS.some((ending) => name.endsWith(ending))) continue;
      file = path.join(folder, name);
      await checkFile(file);
    }
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    const sentence = `--templates: ${file} cannot be read: ${whyUnreadable(error)}.`;
    throw new SettingsError(`${sentence} Use a folder that this user may read.`, { cause: error });
  }
}

async function checkFile(file: string): Promise<void> {
  const found = await stat(file);
  if (!found.isFile()) return;
  if (found.size > MAX_FILE_BYTES) {
    throw new SettingsError(`--templates: ${file} has ${found.size} bytes. A file may have at most ${MAX_FILE_BYTES}.`);
  }
  await access(file, constants.R_OK);
}
