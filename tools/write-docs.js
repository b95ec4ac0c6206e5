// Writes the generated parts of the documentation. With --check it writes nothing and exits with 1 if a document
// differs from the code.
import { loadBuilt } from './options.js';

await loadBuilt(() => import('./docs/write.js'));
