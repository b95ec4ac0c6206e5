import 'mayfly-client/cypress';
