// Other lock files beside this folder are not its own.
export default { turbopack: { root: import.meta.dirname } };
