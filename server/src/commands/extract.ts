import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { jsonText } from 'mayfly-cli';
import { SettingsError } from '../settings/reading.js';
import { whyUnreadable } from '../settings/system-errors.js';
import type { Command, Invocation } from './command.js';
import { explanationTable, listingTable } from './explanation-text.js';

/** A file that is larger is no message that Mayfly could have taken. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;

export const extract: Command = {
  usage: 'extract [FILE] [OPTIONS]',
  summary: 'Shows which code and link a message has, and why.',
  description:
    'Reads one message (an .eml file, or standard input) and prints the one-time code and the magic link that Mayfly would ' +
    'extract from it, or null. No service is needed.',
  settings: [],
  switches: {
    explain:
      'Prints every number and link that was considered, with its points and the reasons for them, then all codes, with letters ' +
      'too, and all links, with the one to follow.',
    json: 'Prints the same as JSON.',
  },
  maxOperands: 1,
  run: extractFrom,
};

async function extractFrom({ switches, operands }: Invocation): Promise<number> {
  const [file = '-'] = operands;
  const message = await read(file === '-' ? process.stdin : createReadStream(file), file);
  // Its words take longer to load than everything else that a command needs.
  const [{ explain }, { listCodesAndLinks }, { parseMessage }] = await Promise.all([
    import('../mail/extract/explain.js'),
    import('../mail/extract/listing.js'),
    import('../mail/mime/parse.js'),
  ]);
  const parts = parseMessage(message);
  const explanation = explain(parts);
  const { otp, magicLink } = explanation;
  if (switches.has('explain')) {
    const { codes, links } = listCodesAndLinks(parts);
    const text = `${explanationTable(explanation)}\n${listingTable(codes.items, links.items)}`;
    const found = { ...explanation, codes: codes.items, links: links.items };
    print(switches.has('json') ? jsonText(found) : text.trimEnd());
  } else if (switches.has('json')) {
    print(jsonText({ otp, magicLink }));
  } else {
    print(`otp: ${otp}\nmagicLink: ${magicLink}`);
  }
  return 0;
}

async function read(stream: Readable, file: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of stream) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > MAX_FILE_BYTES) throw new Error(`it has more than ${MAX_FILE_BYTES} bytes`);
    }
  } catch (error) {
    throw new SettingsError(`${file} cannot be read: ${whyUnreadable(error)}.`);
  }
  return Buffer.concat(pieces, bytes);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
