import { definePlugin, isLocalOnly, kinds, optional } from 'mayfly-inbox/plugin';
import { HTTP_ERRORS, SMTP_ERRORS } from './errors.js';
import { addReleaseRoute } from './release-route.js';
import { mayHold, refusing, Simulation } from './simulation.js';

const SETTINGS = {
  'failure-simulation': optional(
    kinds.toggle,
    'Lets inbox names simulate failures, such as NAME--451x2. By default, true if only this machine can reach the address in --host.',
    { group: 'SMTP', formerly: 'rehearsals' },
  ),
} as const;

/** Simulates the failures that inbox names request (D56). */
export default definePlugin<typeof SETTINGS>({
  name: 'failure-simulation',
  settings: SETTINGS,
  errors: { http: HTTP_ERRORS, smtp: SMTP_ERRORS },
  setUp(host) {
    const { 'failure-simulation': isOn, host: address, retention } = host.settings;
    // Called even if failure simulation is off, because the store may contain held mail from a time when it was on.
    const held = host.holdMail(mayHold);
    let simulation: Simulation | null = null;
    host.receive((next) => {
      // By default, an inbox name can request a failure only if no other machine can send mail to this service.
      if (!(isOn ?? isLocalOnly(address))) return refusing(next);
      const counter = host.windows('rehearsal');
      simulation = new Simulation({ next, held, counter, retentionMs: retention, clock: host.clock });
      return simulation;
    });
    host.addRoutes({
      add(app, { access }) {
        addReleaseRoute(app, access, async (inbox, order) => simulation?.release(inbox, order) ?? null);
      },
    });
  },
});
