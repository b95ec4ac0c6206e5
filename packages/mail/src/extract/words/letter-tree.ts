import { NODES, TABLE } from '../../words/tree.js';

/**
 * The vocabulary as a tree of letters, so looking up an entry takes as many steps as it has letters. Nodes are numbers.
 * The build writes the tree as tables (tools/word-tree.js): the letter that leads to each node, and the range of its
 * children, which are consecutive and sorted by letter. Nodes with equal children share them.
 */

export const NOWHERE = -1;

const IS_BIG_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

const bytes = tableBytes();
const letters = new Uint16Array(bytes, 0, NODES);
const firsts = new Uint16Array(bytes, 2 * NODES, NODES);
const ends = new Uint16Array(bytes, 4 * NODES, NODES);
export const values = new Uint8Array(bytes, 6 * NODES, NODES);
/** The languages of each node's entry, as an index into LANGUAGES. */
export const languages = new Uint8Array(bytes, 7 * NODES, NODES);

/** The child for a letter, or NOWHERE. */
export function step(node: number, code: number): number {
  let low = firsts[node] as number;
  let end = ends[node] as number;
  while (low < end) {
    const middle = (low + end) >>> 1;
    const letter = letters[middle] as number;
    if (letter === code) return middle;
    if (letter < code) low = middle + 1;
    else end = middle;
  }
  return NOWHERE;
}

function tableBytes(): ArrayBuffer {
  const table = Buffer.from(new ArrayBuffer(8 * NODES));
  table.write(TABLE, 'base64');
  if (IS_BIG_ENDIAN) table.subarray(0, 6 * NODES).swap16();
  return table.buffer;
}
