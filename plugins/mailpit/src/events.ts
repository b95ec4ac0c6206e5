import { StoreAwayError, type Viewer } from 'mayfly-inbox/plugin';
import type { Message } from 'mayfly-plugins-shared/all-inboxes';
import { idOf } from 'mayfly-plugins-shared/requests';
import type { EventSocket } from './event-socket.js';
import type { Mailpit } from './mailpit.js';
import { Pauses } from './search-wait.js';
import { mailpitSummary, VERSION } from './summary.js';

/** Interval of reads that find changes by other processes. */
const LOOK_MS = 2_000;

/** Delay of the event with the counts, which combines many changes into one event, as in Mailpit. */
const COUNTS_AFTER_MS = 250;

/** Interval of pings, because proxies close connections that are idle for a minute. */
const BEAT_MS = 25_000;

/** If more changes than this need events, one event makes clients reload instead, as in Mailpit. */
const MOST_TOLD = 200;
const SENDS_AT_ONCE = 256;
const MAX_UNSENT_IN_ALL = 16 * 1024 * 1024;

/** Announces changes of mail. Reads the mail after changes in this process, and at intervals for changes by others. */
export class Events {
  readonly #options: Mailpit;
  /** The groups by workspace; null for callers without a key. */
  readonly #groups = new Map<string | null, Group>();
  readonly #pauses: Pauses;
  #isRunning = false;
  #beatAt = 0;
  #sends = 0;

  constructor(options: Mailpit) {
    this.#options = options;
    this.#pauses = new Pauses(options.clock);
    options.marks.watch((key, isRead) => this.#marked(key, isRead));
  }

  /** The group of a viewer. A new group counts the existing mail as already announced. */
  async groupOf(workspace: string | null, viewer: Viewer): Promise<Group> {
    const known = this.#groups.get(workspace);
    if (known !== undefined) return known;
    const group = new Group({ ...viewer, leaving: { aborted: false } });
    group.compare(await this.#options.inboxes.list(group.viewer));
    return group;
  }

  /** Sends events to a socket until the socket closes. The first event has the counts. */
  join(workspace: string | null, group: Group, socket: EventSocket): void {
    const shared = this.#groups.get(workspace) ?? group;
    this.#groups.set(workspace, shared);
    shared.sockets.add(socket);
    shared.countsDueAt ??= this.#options.clock.monotonic() + COUNTS_AFTER_MS;
    this.#pauses.wake();
    if (!this.#isRunning) void this.#run();
  }

  leave(workspace: string | null, socket: EventSocket): void {
    const group = this.#groups.get(workspace);
    group?.sockets.delete(socket);
    if (group?.sockets.size === 0) this.#groups.delete(workspace);
    if (this.#groups.size === 0) this.#pauses.wake();
  }

  /** Announces the deletion of all mail in a view. Call the returned function when the deletion has ended. */
  deletesAll(view: string | null, { adHoc }: Viewer): () => void {
    // These clients now see no mail: those in this view and, unless it is an ad-hoc workspace, those without a key.
    const groups = [...this.#groups].filter(([one]) => one === view || (one === null && adHoc === null));
    const ends = groups.map(([, group]) => group.deletesAll());
    return () => {
      for (const end of ends) end();
      this.#pauses.wake();
    };
  }

  #marked(key: Message['key'], isRead: boolean): void {
    for (const group of this.#groups.values()) group.mark(key, isRead);
    this.#pauses.wake();
  }

  async #run(): Promise<void> {
    const { records, clock, log } = this.#options;
    this.#isRunning = true;
    this.#beatAt = clock.monotonic() + BEAT_MS;
    const unwatch = records.onChange(() => this.#pauses.wake());
    while (this.#groups.size > 0) {
      const begunAt = clock.monotonic();
      for (const group of [...this.#groups.values()]) {
        // Tries again later. An unreachable store is logged elsewhere.
        await this.#tell(group).catch((error) => {
          group.isBehind = true;
          group.countsDueAt = clock.monotonic() + LOOK_MS;
          if (!(error instanceof StoreAwayError)) log.error({ err: error }, 'Events could not be sent.');
        });
      }
      this.#beat();
      this.#cutSlowest();
      const now = clock.monotonic();
      const due = [...this.#groups.values()].map(({ countsDueAt }) => countsDueAt ?? Number.POSITIVE_INFINITY);
      await this.#pauses.next(now - begunAt, Math.max(Math.min(this.#beatAt, now + LOOK_MS, ...due) - now, 0));
    }
    unwatch();
    this.#isRunning = false;
  }

  async #tell(group: Group): Promise<void> {
    const { inboxes, clock, marks } = this.#options;
    const { come, gone, marked, isEmptied } = group.compare(await inboxes.list(group.viewer));
    if (isEmptied) await this.#send(group, 'truncate', null);
    const changes = come.length + gone.length + marked.size;
    if (changes > MOST_TOLD || group.isBehind) {
      group.isBehind = false;
      await this.#send(group, 'prune', null);
    } else {
      for (const message of gone) await this.#send(group, 'delete', { ID: this.#idOf(message, group) });
      for (const message of come) await this.#tellNew(group, message);
      for (const [key, isRead] of marked) {
        const message = group.known.get(key);
        if (message !== undefined) await this.#send(group, 'update', { ID: this.#idOf(message, group), Read: isRead });
      }
    }
    if (isEmptied || changes > 0) group.countsDueAt ??= clock.monotonic() + COUNTS_AFTER_MS;
    if (group.countsDueAt === null || clock.monotonic() < group.countsDueAt) return;
    group.countsDueAt = null;
    const counts = { Total: group.listed.length, Unread: marks.unread(group.listed), Version: VERSION };
    await this.#send(group, 'stats', counts);
  }

  async #tellNew(group: Group, message: Message): Promise<void> {
    const { inboxes, marks, senders } = this.#options;
    const shown = await inboxes.shown(message, group.viewer);
    if (shown === null) return;
    const { head, email } = shown;
    const known = { isRead: marks.has(message.key), username: senders.get(head.id) };
    // Omits our additional fields, because strict clients compare the whole event.
    const { OTP: _otp, MagicLink: _link, ...summary } = mailpitSummary(email, head, known);
    await this.#send(group, 'new', summary);
  }

  #idOf(message: Message, { viewer }: Group): string {
    return idOf(this.#options.inboxes.knownStandIn(message, viewer));
  }

  async #send(group: Group, type: string, data: object | null): Promise<void> {
    const event = Buffer.from(JSON.stringify({ Type: type, Data: data }));
    for (const socket of [...group.sockets]) {
      this.#sends += 1;
      if (this.#sends % SENDS_AT_ONCE === 0) await this.#options.records.turn();
      socket.send(event);
    }
  }

  #beat(): void {
    const now = this.#options.clock.monotonic();
    if (now < this.#beatAt) return;
    this.#beatAt = now + BEAT_MS;
    for (const { sockets } of this.#groups.values()) for (const socket of [...sockets]) socket.beat();
  }

  #cutSlowest(): void {
    const sockets = [...this.#groups.values()].flatMap((group) => [...group.sockets]);
    let unsent = sockets.reduce((sum, socket) => sum + socket.unsent, 0);
    if (unsent <= MAX_UNSENT_IN_ALL) return;
    for (const socket of sockets.sort((one, other) => other.unsent - one.unsent)) {
      if (unsent <= MAX_UNSENT_IN_ALL) return;
      unsent -= socket.unsent;
      socket.cut();
    }
  }
}

type Key = Message['key'];

/** Sockets with the same view, and the mail that they have seen. */
class Group {
  readonly viewer: Viewer;
  readonly sockets = new Set<EventSocket>();
  listed: readonly Message[] = [];
  readonly known = new Map<Key, Message>();
  #deleting = 0;
  #isEmptied = false;
  /** When to send the counts; null if they have not changed. */
  countsDueAt: number | null = null;
  isBehind = false;
  #marked = new Map<Key, boolean>();

  constructor(viewer: Viewer) {
    this.viewer = viewer;
  }

  compare(listed: readonly Message[]) {
    const marked: ReadonlyMap<Key, boolean> = this.#marked;
    const isEmptied = this.#isEmptied;
    [this.#marked, this.#isEmptied] = [new Map(), false];
    const isSame = listed === this.listed;
    const come = isSame ? [] : listed.filter(({ key }) => !this.known.has(key)).reverse();
    const gone = isSame ? [] : this.#look(listed);
    return { come, gone: this.#deleting > 0 || isEmptied ? [] : gone, marked, isEmptied };
  }

  #look(listed: readonly Message[]): readonly Message[] {
    this.listed = listed;
    for (const message of listed) this.known.set(message.key, message);
    if (this.known.size === listed.length) return [];
    const keys = new Set(listed.map(({ key }) => key));
    const gone = [...this.known.values()].filter(({ key }) => !keys.has(key));
    for (const { key } of gone) this.known.delete(key);
    return gone;
  }

  /** Suppresses events for single deletions. Call the returned function when the deletion has ended. */
  deletesAll(): () => void {
    this.#deleting += 1;
    return () => {
      this.#deleting -= 1;
      this.#isEmptied = true;
    };
  }

  mark(key: Key, isRead: boolean): void {
    if (this.known.has(key)) this.#marked.set(key, isRead);
  }
}
