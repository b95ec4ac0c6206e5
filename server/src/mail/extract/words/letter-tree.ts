/**
 * Words as a tree of letters, so that a walk along a text finds an entry in as many steps as it has letters. Nodes are
 * numbers; the steps between them lie in one hash table of integers, which most steps need no look into, for they lead
 * nowhere.
 *
 * There is one tree a thread, and its tables are constants of this file and no fields: a process makes its tree before V8 has
 * compiled anything of this, and making it takes 1.3 times as many instructions with fields.
 */

export const NOWHERE = -1;

/** So that a node and a letter fit in one integer. The vocabulary needs some 60,000. */
const MAX_NODES = 2 ** 16;

/** A power of two, and twice as many as there are steps. */
const SLOTS = 2 * MAX_NODES;
const MASK = 2 * SLOTS - 2;
const EMPTY = 0;
/** An odd number whose bits are spread well. */
const MIXER = 0x2c1b3c6d;

/** Two integers a slot: the step's key, and the node that it leads to. A key is never EMPTY, since no letter is NUL. */
const steps = new Int32Array(2 * SLOTS);
/** Of each node, a bit for each letter that goes on from it, by its last five bits. Not all that have one do. */
export const goesOn = new Int32Array(MAX_NODES);
export const values = new Uint8Array(MAX_NODES);

/** Nodes to begin at: 0, 1 and 2. The others are made. */
const ROOTS = 3;
let nodes = ROOTS;

/** The node one letter on, or NOWHERE. */
export function step(node: number, code: number): number {
  return ((goesOn[node] as number) & (1 << code)) === 0 ? NOWHERE : child(node, code);
}

/** The same for a letter that has a bit at the node. */
export function child(node: number, code: number): number {
  const key = (node << 16) | code;
  const mixed = Math.imul(key ^ (key >>> 15), MIXER);
  for (let slot = (mixed ^ (mixed >>> 13)) & MASK; ; slot = (slot + 2) & MASK) {
    const found = steps[slot] as number;
    if (found === key) return steps[slot + 1] as number;
    if (found === EMPTY) return NOWHERE;
  }
}

/** The node one letter on, made if there was none. */
export function grow(node: number, code: number): number {
  const key = (node << 16) | code;
  const mixed = Math.imul(key ^ (key >>> 15), MIXER);
  let slot = (mixed ^ (mixed >>> 13)) & MASK;
  for (let found = steps[slot]; found !== EMPTY; found = steps[slot]) {
    if (found === key) return steps[slot + 1] as number;
    slot = (slot + 2) & MASK;
  }
  if (nodes === MAX_NODES) throw new RangeError('The vocabulary has too many letters for its tree.');
  steps[slot] = key;
  steps[slot + 1] = nodes;
  goesOn[node] = (goesOn[node] as number) | (1 << code);
  return nodes++;
}
