import { describeSdks } from './sdk-tests.js';

describeSdks('Python', 'SDKs for Python');
describeSdks('Go', 'SDKs for Go');
describeSdks('Ruby', 'Ruby with postmark');
