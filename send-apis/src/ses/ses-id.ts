import type { Translator } from '../order.js';

/** As those of SES look, with the domain that it gives to Message-IDs. */
export const sesId: Translator['idOf'] = (uuid) => {
  const id = `0100${uuid.slice(0, 8)}${uuid.slice(9, 13)}-${uuid}-000000`;
  return { id, messageId: `<${id}@email.amazonses.com>` };
};
