import { defineConfig } from '@playwright/test';
import { mayflyServer } from 'mayfly-client/playwright';

export default defineConfig({ webServer: mayflyServer() });
