import { Mayfly } from './client.js';
import { environment } from './environment.js';
import { reached } from './fixtures.js';
import { SERVER_VARIABLE, type ServerTask } from './playwright-web-server.js';
import { servicePackage } from './run-service.js';

// What the command of `mayflyServer()` runs. It goes on until Playwright ends it.
serve().catch((error: Error) => {
  console.error(error.message);
  const { process } = globalThis as unknown as { process: { exit(code: number): never } };
  process.exit(1);
});

async function serve(): Promise<void> {
  const { options, baseUrl }: ServerTask = JSON.parse(environment[SERVER_VARIABLE] ?? '{}');
  if (baseUrl !== undefined) {
    await reached(new Mayfly({ baseUrl }), 'or unset MAYFLY_URL, so that the run starts one itself');
    return;
  }
  const { startMayfly } = await servicePackage();
  await startMayfly(options);
}
