/** The module that `tools/build-api.js` writes after TypeScript has run. */
declare module '*checks.cjs' {
  const checks: Readonly<Record<string, import('./built-api.js').Check>>;
  export default checks;
}
