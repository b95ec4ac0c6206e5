// Finds the prose of source code. The result has the same length and lines as the file, with blanks for everything that
// is not prose, so that matches have the right line numbers.
import { parseSync, Visitor } from 'oxc-parser';

/** Replaces an expression, a name in backticks or a URL. Neither letter nor blank, so no rule matches across it. */
const FILLER = '\u00a4';
const CODE = /`[^`\n]*`|\b[a-z]+:\/\/\S+|\{@link [^}\n]*\}/g;
const COMMENT_MARKS = /^[ \t]*(?:\/\/+|\/\*+!?|\*+\/|\*|#+!?)|\*+\/$/gm;
const TEST_FUNCTIONS = ['bench', 'describe', 'it', 'suite', 'test'];
const IN_TESTS = /(?:^|\/)tests?\/|\.test\.|(?:^|\/)test_\w+\.py$/;
const PYTHON =
  /(?<string>"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?<comment>(?:^[ \t]*#.*\n)+|#.*)|\bdef (?<name>test_\w+)/gm;

/** Returns the prose of a file. `chunks` are ranges of `text`, such as one comment or the name of a test. */
export function proseOf(file, source) {
  const chunks = (file.endsWith('.py') ? pythonChunks : scriptChunks)(file, source).filter(({ text }) =>
    /\w/.test(text),
  );
  chunks.sort((a, b) => a.start - b.start);
  let text = '';
  for (const chunk of chunks) {
    if (chunk.start < text.length) continue;
    text += blank(source.slice(text.length, chunk.start)) + chunk.text;
  }
  text += blank(source.slice(text.length));
  return { text, chunks };
}

function scriptChunks(file, source) {
  const { program, comments } = parseSync(file, source);
  const chunks = joined(comments, source).map(({ start, end }) => chunk(start, withoutMarks(source.slice(start, end))));
  const isTest = IN_TESTS.test(file);
  const addString = (node) => chunks.push(chunk(node.start, stringOf(node, source)));
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (isTest && TEST_FUNCTIONS.includes(rootOf(callee)) && /Literal$/.test(first?.type ?? '')) addString(first);
    },
    Literal(node) {
      if (!isTest && typeof node.value === 'string' && isSentence(node.value)) addString(node);
    },
    TemplateLiteral(node) {
      if (!isTest && node.quasis.some(({ value }) => isSentence(value.raw))) addString(node);
    },
    JSXText(node) {
      chunks.push(chunk(node.start, source.slice(node.start, node.end)));
    },
  }).visit(program);
  return chunks;
}

/** Returns each docstring or other string of several words, each comment, and each name of a test. */
function pythonChunks(file, source) {
  const isTest = IN_TESTS.test(file);
  return [...source.matchAll(PYTHON)].flatMap(({ index, groups: { string, comment, name } }) => {
    if (comment !== undefined) return [chunk(index, withoutMarks(comment))];
    if (name !== undefined) return [chunk(index, `    ${name.replaceAll('_', ' ')}`)];
    const isProse = isTest ? string.startsWith('"""') : isSentence(string);
    const text = source[index - 1] === 'f' ? string.replace(/\{[^{}\n]*\}/g, fill) : string;
    return isProse ? [chunk(index, ` ${text.slice(1, -1)} `)] : [];
  });
}

function chunk(start, text) {
  const filled = text.replace(CODE, fill);
  return { start, end: start + filled.length, text: filled };
}

/** Joins consecutive `//` comments into one text. */
function joined(comments, source) {
  const result = [];
  for (const { type, start, end } of comments) {
    const last = result.at(-1);
    if (type === 'Line' && last?.type === 'Line' && /^\r?\n[ \t]*$/.test(source.slice(last.end, start))) last.end = end;
    else result.push({ type, start, end });
  }
  return result;
}

function withoutMarks(comment) {
  return comment.replace(COMMENT_MARKS, blank);
}

/** Returns a string without its quotes, with fillers for its expressions. */
function stringOf(node, source) {
  const text = source.slice(node.start + 1, node.end - 1).replace(/\\[nrt]/g, '  ');
  const filled = (node.expressions ?? []).reduce((rest, { start, end }) => {
    const from = start - node.start - 1;
    const to = end - node.start - 1;
    return rest.slice(0, from) + fill(rest.slice(from, to)) + rest.slice(to);
  }, text);
  return ` ${filled} `;
}

function rootOf(node) {
  if (node.type === 'Identifier') return node.name;
  const inner = node.callee ?? node.object ?? node.tag;
  return inner === undefined ? null : rootOf(inner);
}

function isSentence(text) {
  return /\w[,;:]? \w/.test(text);
}

function fill(text) {
  return text.replace(/[^\n]/g, FILLER);
}

function blank(text) {
  return text.replace(/[^\n]/g, ' ');
}
