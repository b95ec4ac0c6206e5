export { default } from '../playwright/playwright.config.js';
