/** What is used of that package. It is compiled after this one, because it imports `seam.ts`. */
declare module 'mayfly-store-redis' {
  export const openRedisStore: (
    url: string,
    limits: import('./store.js').StoreLimits,
    mode: import('./store.js').OpenMode,
    opening: import('./store.js').Opening,
  ) => Promise<import('./open-store.js').OpenedStore>;
}
