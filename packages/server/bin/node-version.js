// An older Node starts the service, but then fails with errors that do not name the cause. `engines` in package.json
// has the same version; npm only warns about it.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  const { node } = process.versions;
  console.error(
    `mayfly: Node ${node} is too old. Use Node 20.19 or newer, or Mayfly's executable, which needs no Node.`,
  );
  process.exit(2);
}
