/** The parts that load on demand, in one file, which is smaller than two. */
export { LogTable } from './log/log-table.js';
export { RunPage } from './run/run-page.js';
