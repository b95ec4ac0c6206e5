// How long V8 waits before it optimizes a function (D56). A fresh process takes one suite's mail, and most of what
// optimizing early costs pays off after thousands.
const { setFlagsFromString } = require('node:v8');
const { getEnvironmentData, isMainThread, setEnvironmentData } = require('node:worker_threads');

/**
 * The flag of each version of V8 for which this was measured: V8's own value, and ours. Others keep theirs; they would
 * complain of an unknown flag. Node 24 (V8 13.6) has a compiler between these two, and gains nothing.
 */
const FLAGS = new Map([
  ['11.3', { flag: '--interrupt-budget', usual: 67_584, patient: 540_672 }],
  ['12.4', { flag: '--invocation-count-for-turbofan', usual: 3_000, patient: 24_000 }],
]);

const KNOWN = FLAGS.get(process.versions.v8.split('.', 2).join('.'));

/** Threads share the flags of the process, so they are told. */
const IS_PATIENT = 'mayfly:optimizes-later';
let isPatient = !isMainThread && getEnvironmentData(IS_PATIENT) === true;

/** Has V8 optimize later from now on, in all threads: only for a process that is the service's own. */
function optimizeLater() {
  if (KNOWN === undefined) return;
  isPatient = true;
  setEnvironmentData(IS_PATIENT, true);
  setFlag('patient');
}

/** Reads or writes compiled code, which V8 refuses under flags other than those that it was written under. */
function withUsualFlags(work) {
  if (!isPatient) return work();
  setFlag('usual');
  try {
    return work();
  } finally {
    setFlag('patient');
  }
}

function setFlag(which) {
  setFlagsFromString(`${KNOWN.flag}=${KNOWN[which]}`);
}

exports.KNOWN = KNOWN;
exports.optimizeLater = optimizeLater;
exports.withUsualFlags = withUsualFlags;
