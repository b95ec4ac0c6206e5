import { reading } from 'mayfly-plugins-shared/drop-in';
import { mailhogMessage } from './read-mailhog.js';

/** What is done in the parser threads, by name. */
export const TASKS = { mailhogMessage: reading(mailhogMessage) } as const;
