import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A folder of a package's own files. In the service's executable, they are not on disk. */
export interface Files {
  /** Paths relative to the folder, including those of files in its folders. */
  names(): string[];
  /** The bytes must not be changed. */
  read(name: string): Buffer;
}

export function filesIn(folder: string): Files {
  return {
    names: () => readdirSync(folder, { recursive: true, encoding: 'utf8' }),
    read: (name) => readFileSync(path.join(folder, name)),
  };
}
