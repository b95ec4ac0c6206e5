export { default } from '../vitest/vitest.config.js';
