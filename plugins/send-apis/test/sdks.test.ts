import { describeSdks } from './sdk-tests.js';

// One SDK of each provider: all have one for Node.
describeSdks('Node', 'SDKs for Node');
