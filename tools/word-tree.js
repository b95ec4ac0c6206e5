// Builds the letter tree that packages/mail/src/extract/words/letter-tree.ts walks. Building it at every start took a fifth
// of the time to the first email.

/** Maximum number of nodes, because their indexes have 16 bits. */
const MAX_NODES = 2 ** 16 - 1;

/** Bytes per node: letter (2), first child (2), end of the children (2), value (1), languages (1). */
const BYTES_OF_NODE = 8;

/** Low bits of a node's value: the role of its letters as a whole word. The other bits: as a beginning of words. */
const ROLE_BITS = 4;
const WHOLE = 2 ** ROLE_BITS - 1;

/**
 * Builds the tree from lists of entries, one per role, in order of precedence. Returns the number of nodes and their
 * table in base64 (little-endian). `languagesOf` maps entries to the number of their set of languages.
 */
export function wordTree(roles, languagesOf) {
  // Three trees: for beginnings of words, for ends of words (read backwards), and for parts of words.
  const roots = Array.from({ length: 3 }, newNode);
  for (const [i, entries] of roles.entries())
    for (const entry of entries) addEntry(roots, entry, i + 1).entries.push(entry);
  return written(roots, languagesOf);
}

function newNode() {
  return { children: new Map(), value: 0, entries: [], languages: 0 };
}

function addEntry([beginnings, endings, parts], entry, role) {
  const letters = entry.replaceAll('_', ' ').replace(/^\*|\*$/g, '');
  const [isEnding, isBeginning] = [entry.startsWith('*'), entry.endsWith('*')];
  if (isEnding && isBeginning) return addWord(parts, letters, role);
  if (isEnding) return addWord(endings, letters.split('').reverse().join(''), role);
  return addWord(beginnings, letters, isBeginning ? role << ROLE_BITS : role);
}

/** Adds a word and returns its node. A word keeps the first role that it gets. */
function addWord(root, letters, role) {
  let node = root;
  for (const letter of letters.split('')) {
    const code = letter.charCodeAt(0);
    if (!node.children.has(code)) node.children.set(code, newNode());
    node = node.children.get(code);
  }
  const known = role > WHOLE ? node.value >>> ROLE_BITS : node.value & WHOLE;
  if (known === 0) node.value |= role;
  return node;
}

/** Writes the nodes. A node's children are adjacent and sorted. Equal subtrees, which are frequent, are shared. */
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
  if (nodes.length > MAX_NODES) throw new RangeError('The word lists are too long for 16-bit indexes.');
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

/** Returns a number for the subtree of a node. Equal subtrees have the same number. */
function idOfBelow(node, ids) {
  if (node.below !== undefined) return node.below;
  const below = [...node.children].toSorted(([a], [b]) => a - b);
  const key = below.map(([code, child]) => `${code}:${child.value}:${child.languages}:${idOfBelow(child, ids)}`).join();
  if (!ids.has(key)) ids.set(key, ids.size);
  node.below = ids.get(key);
  return node.below;
}
