/**
 * Counts the correct results for each class of messages. @param {readonly import('./load.js').MailClass[]} classes
 * @param {import('./class-rates.js').Reading} reading @returns {import('./class-rates.js').ClassRate[]}
 */
export function classRates(classes, reading) {
  return classes.map(({ name, field, cases }) => {
    const judged = cases.map((one) => ({ ...one, found: found(field, one.message, reading) }));
    const wrong = judged.filter((one) => one.found !== one.expected);
    return { name, right: judged.length - wrong.length, wrong };
  });
}

function found(field, message, { extract, parseMessage, readContents }) {
  if (field === 'otp' || field === 'magicLink') return extract(parseMessage(message))[field];
  const { codes, links } = readContents(message);
  if (field === 'action') return links.find(({ action }) => action)?.url ?? null;
  return codes.map(({ value }) => value).join(', ') || null;
}
