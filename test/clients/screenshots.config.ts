import { mergeConfig } from 'vitest/config';
import clients from './vitest.config.ts';

/** The screenshots for the docs: `npm run screenshots`. */
const config = mergeConfig(clients, {});
// One file after the other: a busy machine must not show in a picture.
config.test.maxWorkers = 1;
config.test.include = ['test/clients/**/*.screenshots.ts'];
export default config;
