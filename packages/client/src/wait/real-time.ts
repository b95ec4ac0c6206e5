/** The time of the platform, as it was when this module loaded: a test may fake it later, and waits for real mail. */
export const { setTimeout, clearTimeout } = globalThis;

export const now = performance.now.bind(performance);
