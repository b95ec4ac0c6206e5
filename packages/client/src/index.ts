import './in-node.js';

export * from './in-page.js';
