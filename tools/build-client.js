// Marks the client's second build (client/tsconfig.cjs.json) as CommonJS, whose files have the same names as those of the first.
import { writeFileSync } from 'node:fs';

writeFileSync('client/dist/cjs/package.json', '{ "type": "commonjs" }\n');
