// Makes a tree of letters of the words that extraction looks for one by one, in the form in which the service walks it
// (packages/mail/src/extract/words/letter-tree.ts): to make it at every start took a fifth of the time to a
// first mail.

/** Where the walk along an entry begins: words' beginnings, their ends (read backwards), or their parts. */
const ROOTS = { beginnings: 0, endings: 1, parts: 2 };

/** So that nodes and letters fit in 16 bits. */
const MAX_NODES = 2 ** 16 - 1;

/** Of a node: its letter, the first and the end of the nodes below it, its value, and its languages. */
const BYTES_OF_NODE = 8;

/** A node has two roles: as a whole word and, above these bits, as the beginning of a longer one. */
const ROLE_BITS = 4;
const WHOLE = 2 ** ROLE_BITS - 1;

/**
 * The tree of the entries of each role, given in the order of their precedence as lists of entries (README.md beside
 * the words describes them): the letters, first children, ends of the children, values and languages of its nodes, as
 * base64 of little-endian tables, and how many nodes there are. `languagesOf` gives the number that stands for the
 * languages of entries.
 */
export function wordTree(roles, languagesOf) {
  const roots = Object.values(ROOTS).map(newNode);
  for (const [i, entries] of roles.entries())
    for (const entry of entries) addEntry(roots, entry, i + 1).entries.push(entry);
  return written(roots, languagesOf);
}

function newNode() {
  return { children: new Map(), value: 0, entries: [], languages: 0 };
}

function addEntry(roots, entry, role) {
  const letters = entry.replaceAll('_', ' ');
  if (!letters.startsWith('*')) return addBeginning(roots[ROOTS.beginnings], letters, role);
  if (letters.endsWith('*')) return addWord(roots[ROOTS.parts], letters.slice(1, -1), role);
  return addWord(roots[ROOTS.endings], letters.slice(1).split('').reverse().join(''), role);
}

function addBeginning(root, letters, role) {
  if (letters.endsWith('*')) return addWord(root, letters.slice(0, -1), role << ROLE_BITS);
  return addWord(root, letters, role);
}

/**
 * Adds a word and returns its node. Roles are added in the order of their precedence, so that of two for the same
 * letters the first counts.
 */
function addWord(root, letters, role) {
  let node = root;
  for (let at = 0; at < letters.length; at++) {
    const code = letters.charCodeAt(at);
    if (!node.children.has(code)) node.children.set(code, newNode());
    node = node.children.get(code);
  }
  const known = role > WHOLE ? node.value >>> ROLE_BITS : node.value & WHOLE;
  if (known === 0) node.value |= role;
  return node;
}

/**
 * Nodes are numbered so that those below one are neighbours, in the order of their letters. Nodes with the same below
 * them share it: entries of a language end alike.
 */
function written(roots, languagesOf) {
  for (const root of roots) nameLanguages(root, languagesOf);
  const nodes = roots.map((node) => ({ node, code: 0 }));
  const ranges = [];
  const known = new Map();
  const ids = new Map();
  for (let at = 0; at < nodes.length; at++) {
    const id = idOfBelow(nodes[at].node, ids);
    if (!known.has(id)) {
      const below = [...nodes[at].node.children].toSorted(([a], [b]) => a - b);
      known.set(id, { first: nodes.length, end: nodes.length + below.length });
      for (const [code, node] of below) nodes.push({ node, code });
    }
    ranges.push(known.get(id));
  }
  if (nodes.length > MAX_NODES) throw new RangeError('The vocabulary has too many letters for its tree.');
  const table = Buffer.alloc(BYTES_OF_NODE * nodes.length);
  for (const [at, { node, code }] of nodes.entries()) {
    table.writeUInt16LE(code, 2 * at);
    table.writeUInt16LE(ranges[at].first, 2 * (nodes.length + at));
    table.writeUInt16LE(ranges[at].end, 2 * (2 * nodes.length + at));
    table.writeUInt8(node.value, 6 * nodes.length + at);
    table.writeUInt8(node.languages, 7 * nodes.length + at);
  }
  return { nodes: nodes.length, table: table.toString('base64') };
}

function nameLanguages(node, languagesOf) {
  if (node.entries.length > 0) node.languages = languagesOf(node.entries);
  for (const child of node.children.values()) nameLanguages(child, languagesOf);
}

/** A number for what stands below a node: the same for all nodes that have the same below them. */
function idOfBelow(node, ids) {
  if (node.below !== undefined) return node.below;
  const below = [...node.children].toSorted(([a], [b]) => a - b);
  const key = below.map(([code, child]) => `${code}:${child.value}:${child.languages}:${idOfBelow(child, ids)}`).join();
  if (!ids.has(key)) ids.set(key, ids.size);
  node.below = ids.get(key);
  return node.below;
}
