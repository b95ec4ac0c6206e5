// The plugins of this package. Each is a separate npm package that is compiled after the server.
import failureSimulation from 'mayfly-failure-simulation';
import mailCheck from 'mayfly-mail-check';
import mailImport from 'mayfly-mail-import';
import mailhog from 'mayfly-mailhog';
import mailpit from 'mayfly-mailpit';
import sendApis from 'mayfly-send-apis';
import sms from 'mayfly-sms';

export const FIRST_PARTY = [failureSimulation, mailCheck, mailImport, mailhog, mailpit, sendApis, sms];
