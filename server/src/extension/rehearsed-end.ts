import type { Clock } from '../base/clock.js';
import type { Request } from '../http/http.js';
import type { Ending } from '../inbox/inboxes.js';

/** Ends a request that sent mail as a rehearsal asks for: late, or without an answer (D56). */
export async function endAsRehearsed(request: Request, ending: Ending | undefined, clock: Clock): Promise<void> {
  if (ending === undefined) return;
  if (ending.delayMs > 0) await new Promise<void>((wake) => clock.after(ending.delayMs, wake));
  if (ending.isLost) request.raw.socket.destroy();
}
