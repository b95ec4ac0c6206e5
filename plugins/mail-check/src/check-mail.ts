import { listFields } from 'mayfly-mail/internal/mime/header-list';
import { parseMessage } from 'mayfly-mail/internal/mime/parse';
import { listParts } from 'mayfly-mail/internal/mime/part-list';
import type { CheckedFeature, EmailCheck } from 'mayfly-protocol';
import { DATA_DATE, type Feature, htmlUses } from './html-uses.js';
import { unsubscribeOf } from './unsubscribe.js';

/** Gmail truncates a message with more HTML than this, and links to the rest. */
export const GMAIL_CLIP_BYTES = 102 * 1024;
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
  return {
    htmlBytes,
    clippedByGmail: htmlBytes > GMAIL_CLIP_BYTES,
    images,
    unsubscribe: unsubscribeOf(listFields(header).items),
    features: [...features]
      .map(checked)
      .filter(({ partial, unsupported }) => partial.length + unsupported.length > 0)
      .sort(
        (one, other) => other.unsupported.length - one.unsupported.length || other.partial.length - one.partial.length,
      ),
    dataDate: DATA_DATE,
  };
}

function checked([{ page, name, supported, partial, unsupported }, uses]: [Feature, number]): CheckedFeature {
  return { name, url: `${PAGES}${page}/`, uses, supported, partial, unsupported };
}

export const TASKS = {
  check: (raw: Uint8Array): [found: Uint8Array] => [Buffer.from(JSON.stringify(checkMail(raw)))],
} as const;
