import { httpError } from 'mayfly-plugins-shared/settings';

const where = '`POST /api/inbox/{name}/import`';

export const ERRORS = {
  importElsewhere: httpError(
    '403 import-elsewhere: Mail can be imported only from the machine of the service, and only if no other machine can reach the service (--host). Send it over SMTP instead.',
    where,
  ),
  importEmpty: httpError('400 import-empty: The request has no body. Send the bytes of one message.', where),
  notImported: httpError('409 not-imported: The message was not stored: {reason}.', where),
} as const;
