// The figures that were recorded, and whether those of today are still within them.

/** How much more than recorded a mail may cost. On a quiet machine, runs of the same code differ by less than 2 %. */
export const TOLERANCE = 1.1;

/** The key of what can be compared: another counter or another V8 counts otherwise. */
export function keyOf(counterName, { node, arch }) {
  return `${counterName}, Node ${node.split('.')[0]}, ${arch}`;
}

/**
 * Compares the cost of each mail with its recorded cost, both by the name of the mail: `{ rows, worse }`, each a list
 * of sentences. A mail without a recorded figure is not judged.
 */
export function compared(now, recorded) {
  const rows = [];
  const worse = [];
  for (const [mail, count] of Object.entries(now)) {
    const before = recorded[mail];
    const change = before === undefined ? 'nothing recorded' : `${signed(count / before - 1)} of ${millions(before)}`;
    rows.push(`${mail.padEnd(12)} ${millions(count)} (${change})`);
    if (before !== undefined && count > before * TOLERANCE) {
      worse.push(`A mail of ${mail} costs ${millions(count)} instructions, ${millions(before)} are recorded.`);
    }
  }
  return { rows, worse };
}

/** `1.61 M` */
export function millions(count) {
  return `${(count / 1e6).toFixed(2)} M`;
}

function signed(share) {
  return `${share < 0 ? '-' : '+'}${Math.abs(share * 100).toFixed(1)} %`;
}
