// Sets the project's root, so that Next.js ignores lock files outside this folder.
export default { turbopack: { root: import.meta.dirname } };
