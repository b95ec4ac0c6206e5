import { afterEach } from 'vitest';
import type { SharedCounts } from '../../src/limits/limits.js';
import { type OpenedStore, openStore } from '../../src/store/open-store.js';
import type { Store, StoreLimits } from '../../src/store/store.js';
import { describeClearingOne } from './contract/clearing-one.js';
import { describeCounting } from './contract/counting.js';
import { describeDelivering } from './contract/delivering.js';
import { describeForgetting } from './contract/forgetting.js';
import { describeLasting, describeReopening } from './contract/lasting.js';
import { describeListingInboxes } from './contract/listing-inboxes.js';
import { describeMeasuring } from './contract/measuring.js';
import { describeModel } from './contract/model.js';
import { describeProcesses } from './contract/processes.js';
import { describeReading } from './contract/reading.js';
import { describeRecent } from './contract/recent.js';
import { describeSummarizing } from './contract/summarizing.js';
import { describeWatching, describeWatchingOthers } from './contract/watching.js';
import { keptInParts, ROOMY } from './mail.js';

const MODEL_RUNS = 60;

/** A kind of store to test. */
export interface Subject {
  /** The URL of a new, empty store. */
  newUrl(): Promise<string>;
  /** Whether mail survives the process. Tests of reopening and of several processes run only then. */
  readonly isDurable: boolean;
  /** For a store in several parts: returns the part that holds an inbox. Each part stores and counts a message once. */
  readonly partOf?: (inbox: string) => unknown;
  /** Number of step sequences to compare with the model. Choose a small number for a slow store. */
  readonly modelRuns?: number;
  /** Whether nodes that share the store also share their counts of requests. */
  readonly counts?: boolean;
  /** Whether the engine expires mail and bounds memory itself; then `purge` does nothing and no quota applies. */
  readonly expiresByItself?: boolean;
  /** The number of replicas that must have stored an email before it counts as stored. */
  readonly replicas?: number;
}

/** Opens a store, by default a new one, which is closed after the test. */
export type Open = (limits?: Partial<StoreLimits>, url?: string) => Promise<Store>;

/** Tests the contract of every store, on real engines with a manual clock. */
export function describeContract(subject: Subject): void {
  if (subject.partOf) keptInParts(subject.partOf);
  const opened: Store[] = [];
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  const openWhole = async (limits: Partial<StoreLimits> = {}, url?: string): Promise<OpenedStore> => {
    const opening = { warn: () => {}, replicas: subject.replicas ?? 0 };
    const whole = await openStore(url ?? (await subject.newUrl()), { ...ROOMY, ...limits }, 'create', opening);
    opened.push(whole.store);
    return whole;
  };
  const open: Open = async (limits, url) => (await openWhole(limits, url)).store;
  const openCounts = async (url: string): Promise<SharedCounts> => {
    const { sharedCounts } = await openWhole({}, url);
    if (sharedCounts === null) throw new Error('The store counts nothing.');
    return sharedCounts;
  };

  describeReading(open);
  describeDelivering(open, subject.expiresByItself);
  describeForgetting(open, subject.expiresByItself);
  describeClearingOne(open, subject.expiresByItself);
  describeSummarizing(open);
  describeWatching(open);
  describeRecent(open);
  describeListingInboxes(open, subject.expiresByItself);
  describeMeasuring(open, subject.expiresByItself);
  describeLasting(open);
  describeModel(open, subject.modelRuns ?? MODEL_RUNS, subject.expiresByItself);
  if (subject.counts) describeCounting(openCounts, subject.newUrl);
  if (subject.isDurable) {
    describeReopening(open, subject.newUrl, subject.expiresByItself);
    describeProcesses(open, subject.newUrl, subject.expiresByItself);
    describeWatchingOthers(open, subject.newUrl);
  }
}
