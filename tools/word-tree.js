// Makes a tree of letters of the words that extraction looks for one by one, in the form in which the service walks it
// (server/src/mail/extract/words/letter-tree.ts): to make it at every start took a fifth of the time to a first mail.

/** Where the walk along an entry begins: what words begin with, what they end with (read backwards), parts of words. */
const ROOTS = { beginnings: 0, endings: 1, parts: 2 };

/** So that nodes and letters fit in 16 bits. The last number is the end of the last node's letters. */
const MAX_NODES = 2 ** 16 - 1;

/** A node has two roles: what it means as a whole word and, above these bits, at the beginning of a longer one. */
const ROLE_BITS = 4;
const WHOLE = 2 ** ROLE_BITS - 1;

/**
 * The tree of the entries of each role, given in the order of their precedence as lists of entries (README.md beside
 * the words describes them): the letters, first children and values of its nodes, as base64 of little-endian tables,
 * and how many nodes there are.
 */
export function wordTree(roles) {
  const roots = Object.values(ROOTS).map(newNode);
  for (const [i, entries] of roles.entries()) for (const entry of entries) addEntry(roots, entry, i + 1);
  return written(roots);
}

function newNode() {
  return { children: new Map(), value: 0 };
}

function addEntry(roots, entry, role) {
  const letters = entry.replaceAll('_', ' ');
  if (!letters.startsWith('*')) addBeginning(roots[ROOTS.beginnings], letters, role);
  else if (letters.endsWith('*')) addWord(roots[ROOTS.parts], letters.slice(1, -1), role);
  else addWord(roots[ROOTS.endings], letters.slice(1).split('').reverse().join(''), role);
}

function addBeginning(root, letters, role) {
  if (letters.endsWith('*')) addWord(root, letters.slice(0, -1), role << ROLE_BITS);
  else addWord(root, letters, role);
}

/** Roles are added in the order of their precedence, so that of two for the same letters the first counts. */
function addWord(root, letters, role) {
  let node = root;
  for (let at = 0; at < letters.length; at++) {
    const code = letters.charCodeAt(at);
    if (!node.children.has(code)) node.children.set(code, newNode());
    node = node.children.get(code);
  }
  const known = role > WHOLE ? node.value >>> ROLE_BITS : node.value & WHOLE;
  if (known === 0) node.value |= role;
}

/** Nodes are numbered so that those below one are neighbours, in the order of their letters. */
function written(roots) {
  const nodes = roots.map((node) => ({ node, code: 0 }));
  const firsts = [];
  for (let at = 0; at < nodes.length; at++) {
    firsts.push(nodes.length);
    const below = [...nodes[at].node.children].toSorted(([a], [b]) => a - b);
    for (const [code, node] of below) nodes.push({ node, code });
  }
  if (nodes.length > MAX_NODES) throw new RangeError('The vocabulary has too many letters for its tree.');
  const table = Buffer.alloc(4 * nodes.length + 2 + nodes.length);
  for (const [at, { node, code }] of nodes.entries()) {
    table.writeUInt16LE(code, 2 * at);
    table.writeUInt16LE(firsts[at], 2 * (nodes.length + at));
    table.writeUInt8(node.value, 4 * nodes.length + 2 + at);
  }
  table.writeUInt16LE(nodes.length, 4 * nodes.length);
  return { nodes: nodes.length, table: table.toString('base64') };
}
