/** The platform's timers, saved when this module loads, because a test with fake timers still waits for real mail. */
export const { setTimeout, clearTimeout } = globalThis;

export const now = performance.now.bind(performance);
