/** Why no mail came, and the cures: the table of the JavaScript client as the Python client reads it. */
import {
  CURES,
  ENDINGS,
  NEW_SPACE,
  NOTHING_SENT,
  OTHER_SIDE,
  OTHERS,
  SESSIONS,
  unshown,
  VALIDATORS,
} from '../../packages/client/dist/wait/causes.js';

const PORT = '{port}';

/** What a service may offer, in the order in which the Python client counts: STARTTLS first. */
const OFFERS = [false, true].flatMap((startTls) =>
  [false, true].map((authWithoutTls) => ({ port: PORT, domains: [], startTls, authWithoutTls })),
);

export function causes() {
  const sessions = Object.entries(SESSIONS).map(([outcome, cause]) => {
    const texts = OFFERS.map(cause);
    return [outcome, texts.every((text) => text === texts[0]) ? texts[0] : texts];
  });
  const table = {
    newSpace: NEW_SPACE,
    sessions: Object.fromEntries(sessions),
    otherSide: OTHER_SIDE,
    others: OTHERS,
    cures: CURES,
    endings: ENDINGS,
    nothingSent: NOTHING_SENT,
    validators: VALIDATORS,
    unshown: [unshown('a@inbox.example.com'), unshown('a--hold@inbox.example.com')],
  };
  return `${JSON.stringify(table, null, 2)}\n`;
}
