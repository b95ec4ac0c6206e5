import { type App, addInspectionRoute, type Service } from 'mayfly-inbox/plugin';

/** `GET /api/inbox/{name}/{receivedAt}/check` */
export function addCheckRoute(app: App, { records, access, task }: Service): void {
  addInspectionRoute(app, records, access, { segment: 'check', work: task('check', null) });
}
