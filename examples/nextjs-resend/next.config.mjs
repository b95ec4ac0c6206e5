// Ignores lock files outside this folder.
export default { turbopack: { root: import.meta.dirname } };
