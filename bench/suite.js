// The benchmarks that `npm run bench` runs, in this order.
import { abuse } from './suite/abuse.js';
import { acceptReadFetch } from './suite/accept-read-fetch.js';
import { delivery } from './suite/delivery.js';
import { fetching } from './suite/fetch.js';
import { ingest } from './suite/ingest.js';
import { memory } from './suite/memory.js';
import { nodes } from './suite/nodes.js';
import { scale } from './suite/scale.js';
import { start } from './suite/start.js';
import { stored } from './suite/stored.js';
import { streams } from './suite/streams.js';

/**
 * A benchmark: its `name` for `--only`, `title` and `about` (a paragraph on what it measures, and how) for people, and
 * `run({ isShort, progress, others })`, which resolves to `{ figures, text }`: figures as figures.js makes them and,
 * if there is more to show, a text. `progress(sentence)` reports progress; `others` are servers to measure beside ours.
 */
export const BENCHMARKS = [
  ingest,
  acceptReadFetch,
  delivery,
  nodes,
  fetching,
  streams,
  start,
  memory,
  stored,
  scale,
  abuse,
];
