/** No entry goes on this way. */
export const NOWHERE = -1;

/**
 * Words as a tree of letters, so that a walk along a text finds an entry in as many steps as it has letters. Nodes are
 * numbers; the steps between them lie in one hash table of integers, which most steps need no look into, for they lead nowhere.
 */
export class LetterTree {
  /** Two integers a slot: the step's key, and the node that it leads to. */
  readonly #steps = new Int32Array(2 * SLOTS);
  /** Of each node, a bit for each letter that goes on from it, by its last five bits. Not all that have one do. */
  readonly goesOn = new Int32Array(MAX_NODES);
  /** What stands at each node: 0 until something else was put there. */
  readonly values = new Uint8Array(MAX_NODES);
  #nodes: number;

  /** Makes a tree with so many nodes to begin at, which are 0, 1 and so on. */
  constructor(roots: number) {
    this.#nodes = roots;
  }

  /** The node one letter on, or NOWHERE. */
  step(node: number, code: number): number {
    return ((this.goesOn[node] as number) & (1 << code)) === 0 ? NOWHERE : this.child(node, code);
  }

  /** The same for a letter that has a bit at the node. */
  child(node: number, code: number): number {
    const steps = this.#steps;
    const key = keyOf(node, code);
    for (let slot = slotOf(key); ; slot = (slot + 2) & MASK) {
      const found = steps[slot] as number;
      if (found === key) return steps[slot + 1] as number;
      if (found === EMPTY) return NOWHERE;
    }
  }

  /**
   * The node one letter on, made if there was none. Written out, since a process makes its tree before V8 has compiled
   * anything of this: with the functions that `child` calls, that takes twice as long.
   */
  grow(node: number, code: number): number {
    const steps = this.#steps;
    const key = (node << 16) | code;
    const mixed = Math.imul(key ^ (key >>> 15), MIXER);
    let slot = (mixed ^ (mixed >>> 13)) & MASK;
    for (let found = steps[slot]; found !== EMPTY; found = steps[slot]) {
      if (found === key) return steps[slot + 1] as number;
      slot = (slot + 2) & MASK;
    }
    if (this.#nodes === MAX_NODES) throw new RangeError('The vocabulary has too many letters for its tree.');
    steps[slot] = key;
    steps[slot + 1] = this.#nodes;
    this.goesOn[node] = (this.goesOn[node] as number) | (1 << code);
    return this.#nodes++;
  }
}

/** So that a node and a letter fit in one integer. The vocabulary needs some 45,000. */
const MAX_NODES = 2 ** 16;

/** A power of two, and twice as many as there are steps. */
const SLOTS = 2 * MAX_NODES;
/** Makes a number an even one within the table. */
const MASK = 2 * SLOTS - 2;
const EMPTY = 0;
/** An odd number whose bits are spread well. */
const MIXER = 0x2c1b3c6d;

/** A step as one integer, which is never EMPTY, since no letter is NUL. */
function keyOf(node: number, code: number): number {
  return (node << 16) | code;
}

function slotOf(key: number): number {
  const mixed = Math.imul(key ^ (key >>> 15), MIXER);
  return (mixed ^ (mixed >>> 13)) & MASK;
}
