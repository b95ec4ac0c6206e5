import { HELD_BOUNDS, HeldBytes } from './held-bytes.js';
import { InFlight, type InFlightBounds, smallReserve } from './in-flight.js';
import { Pool, type QuotaBounds } from './quota.js';

/** What mail in flight and HTTP may hold together, even where `max-in-flight` is less (D49). */
const LEAST_TOTAL_BYTES = 256 * 1024 * 1024;

/** The memory that clients fill from both sides. */
export interface Memory {
  /** What mail takes until it is stored. */
  readonly inFlight: InFlight;
  /** What is held for clients over HTTP. */
  readonly held: HeldBytes;
}

/**
 * One account of both: together they never hold more than `max-in-flight`, or than 256 MiB where that is less (D49). HTTP always has as much
 * as one of its clients may have, and mail what is left when HTTP has its most. Bounds are in bytes; `total` and `heldBounds` are given by
 * tests.
 */
export function memoryOf(
  bounds: InFlightBounds,
  total = Math.max(bounds.maxBytes, LEAST_TOTAL_BYTES),
  heldBounds: QuotaBounds = HELD_BOUNDS,
): Memory {
  // Small messages are never refused, so what is kept for them is nobody else's.
  const room = total - smallReserve(bounds);
  const pool = new Pool(room);
  return {
    inFlight: new InFlight(bounds, { pool, reserve: room - heldBounds.total }),
    held: new HeldBytes(heldBounds, { pool, reserve: heldBounds.perClient }),
  };
}
