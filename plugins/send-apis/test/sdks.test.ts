import { describeSdks } from './sdk-tests.js';

describeSdks('Node', 'SDKs for Node');
