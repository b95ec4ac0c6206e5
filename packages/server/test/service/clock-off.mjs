// Sets the clock of the process that loads it wrong, by so many milliseconds.
const now = Date.now;
const offMs = Number(process.env.CLOCK_OFF_MS);

globalThis.Date = class extends Date {
  constructor(...args) {
    if (args.length === 0) super(now() + offMs);
    else super(...args);
  }

  static now() {
    return now() + offMs;
  }
};
