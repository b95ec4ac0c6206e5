/** All that a store in a package of its own may import of the service. */

export { type CountedWindow, NoRoomError, type SharedCounts } from '../limits/limits.js';
export { Semaphore } from '../limits/semaphore.js';
export { bytesOf, CHUNK_BYTES, chunksOf } from './admission.js';
export { FullDiskLines } from './full-disk-lines.js';
export { Jobs } from './jobs.js';
export * from './store.js';
