// npm runs this before it packs a package ("prepack"): without a build it would pack next to nothing, and say
// nothing.
import { existsSync, readFileSync } from 'node:fs';

const { name, files } = JSON.parse(readFileSync('package.json', 'utf8'));
const folders = new Set(files.map((file) => file.split('/*', 1)[0]));
const missing = [...folders].filter((folder) => !existsSync(folder));
if (missing.length > 0) {
  console.error(
    `${name} is not built: it lacks ${missing.join(', ')}. Run "npm ci" or "npm run build" in the root of the repository, and pack again.`,
  );
  process.exitCode = 1;
}
