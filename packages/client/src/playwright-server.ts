import { environment } from './environment.js';
import { reached } from './fixtures.js';
import { SERVER_VARIABLE, type ServerTask } from './playwright-web-server.js';
import { keepRun, servicePackage } from './run-service.js';

// What the command of `mayflyServer()` runs. It goes on until Playwright ends it.
interface Process {
  exit(code: number): never;
  once(signal: 'SIGINT', listener: () => void): void;
  readonly stdin: { on(event: 'close', listener: () => void): { resume(): void } };
}

const { process } = globalThis as unknown as { process: Process };

serve().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});

async function serve(): Promise<void> {
  const { options, baseUrl }: ServerTask = JSON.parse(environment[SERVER_VARIABLE] ?? '{}');
  if (baseUrl !== undefined) {
    await reached({ baseUrl }, 'or unset MAYFLY_URL, so that the run starts one itself');
    return;
  }
  // Playwright holds the other end: it closes also where Playwright is killed and ends nothing itself.
  process.stdin.on('close', () => process.exit(0)).resume();
  const { startMayfly } = await servicePackage();
  const service = await startMayfly(options);
  process.once('SIGINT', async () => {
    await keepRun(service);
    process.exit(0);
  });
}
