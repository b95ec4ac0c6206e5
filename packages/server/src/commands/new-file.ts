import { open, rm, writeFile } from 'node:fs/promises';

/** Mail is private. */
const OWNER_ONLY = 0o600;

/** Writes a file that does not exist yet. Rejects with the error of the system or of `content`, and leaves no part. */
export async function writeNewFile(file: string, content: string | AsyncIterable<Uint8Array>): Promise<void> {
  // Outside of the try: if this fails, a file there is the user's. Out of descriptors, it fails before it looks.
  const made = await open(file, 'wx', OWNER_ONLY);
  try {
    await writeFile(made, content).finally(() => made.close());
  } catch (error) {
    await rm(file, { force: true }).catch(() => {});
    throw error;
  }
}
