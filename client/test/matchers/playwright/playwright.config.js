import { defineConfig } from '@playwright/test';

export default defineConfig({ reporter: 'line', snapshotPathTemplate: '{testDir}/__snapshots__/{arg}{ext}' });
