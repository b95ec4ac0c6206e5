import { listFields } from 'mayfly-mail/internal/mime/header-list';
import { parseMessage } from 'mayfly-mail/internal/mime/parse';
import { listParts } from 'mayfly-mail/internal/mime/part-list';
import type { CheckedClients, EmailCheck } from 'mayfly-protocol';
import { CLIENTS, DATA_DATE, htmlUses } from './html-uses.js';
import { unsubscribeOf } from './unsubscribe.js';

/** Gmail truncates a message with more HTML than this, and links to the rest. */
export const GMAIL_CLIP_BYTES = 102 * 1024;

/** The last family has all clients whose names begin with no other. */
const FAMILIES = ['Gmail', 'Outlook', 'Apple Mail', 'Others'];
const PAGES = 'https://www.caniemail.com/features/';

/**
 * Checks how email clients display a message, from the data of caniemail.com and without requests. Checks only HTML
 * that the parser has limited, so this takes linear time and bounded memory (D20).
 */
export function checkMail(raw: Uint8Array): EmailCheck {
  const { html } = parseMessage(raw);
  const { header, bodyBytes } = listParts(raw, html);
  const htmlBytes = bodyBytes.get('text/html') ?? 0;
  const { features, images } = htmlUses(html ?? '');
  const letters = [...features.keys()].map((feature) => feature.letters);
  return {
    htmlBytes,
    clippedByGmail: htmlBytes > GMAIL_CLIP_BYTES,
    score: scoreOf(letters.join('')),
    clients: FAMILIES.map((family) => ({ family, ...supportIn(family, letters) })),
    images,
    unsubscribe: unsubscribeOf(listFields(header).items),
    features: [...features]
      .map(([{ page, name, letters, partial, unsupported }, { uses, places }]) => {
        return { name, url: `${PAGES}${page}/`, uses, places, supported: count('y', letters), partial, unsupported };
      })
      .filter(({ partial, unsupported }) => partial.length + unsupported.length > 0)
      .sort(
        (one, other) => other.unsupported.length - one.unsupported.length || other.partial.length - one.partial.length,
      ),
    dataDate: DATA_DATE,
  };
}

const count = (letter: string, letters: string) => letters.split(letter).length - 1;

function supportIn(family: string, letters: readonly string[]): Omit<CheckedClients, 'family'> {
  const isOwn = CLIENTS.map((client) => (FAMILIES.find((one) => client.startsWith(one)) ?? FAMILIES.at(-1)) === family);
  const own = letters.flatMap((all) => [...all].filter((_, place) => isOwn[place])).join('');
  return { supported: count('y', own), partial: count('a', own), unsupported: count('n', own) };
}

/** Rounded down, so that 100 means full support. */
function scoreOf(letters: string): number {
  const lost = count('n', letters) + count('a', letters) / 2;
  return Math.floor(100 - (100 * lost) / (letters.length - count('u', letters) || 1));
}

export const TASKS = {
  check: (raw: Uint8Array): [found: Uint8Array] => [Buffer.from(JSON.stringify(checkMail(raw)))],
} as const;
