import type { Mutation } from './rates.js';

export const MUTATIONS: readonly Mutation[];
