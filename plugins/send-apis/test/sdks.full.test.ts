import { describeSdks } from './sdk-tests.js';

// One SDK of each provider is in the quick tests, in the file of the provider.
describeSdks('Node', 'SDKs for Node');
describeSdks('Python', 'SDKs for Python');
describeSdks('Go', 'SDKs for Go');
describeSdks('Ruby', 'Ruby with postmark');
