import { mayflySetup } from 'mayfly-client/vitest/setup';

export default mayflySetup({ domain: ['own.test', 'other.test'] });
