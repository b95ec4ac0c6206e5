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

/** A kind of store that is to keep the contract. */
export interface Subject {
  /** The url of a new, empty store. */
  newUrl(): Promise<string>;
  /** Whether mail outlives the process. The cases of reopening and of several processes are for these stores only. */
  readonly isDurable: boolean;
  /** Which part of it has an inbox, where it has several: a message is kept once in each, and counted as often. */
  readonly partOf?: (inbox: string) => unknown;
  /** How many sequences of steps are compared with a model, where each takes long. */
  readonly modelRuns?: number;
  /** Whether those who share it count together. */
  readonly counts?: boolean;
  /** Whether its engine expires mail and bounds its memory; then `purge` does nothing and no quota applies. */
  readonly expiresByItself?: boolean;
  /** How many replicas must have what is stored. */
  readonly replicas?: number;
}

/** Opens a store, a new one where no url is given. It is closed after the test. */
export type Open = (limits?: Partial<StoreLimits>, url?: string) => Promise<Store>;

/** What every store promises, run on the real thing with a clock that is given. */
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
