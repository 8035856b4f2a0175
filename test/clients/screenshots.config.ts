import { mergeConfig } from 'vitest/config';
import clients from './vitest.config.ts';

/** The pictures of the docs, by `npm run screenshots`. */
const config = mergeConfig(clients, {});
config.test.include = ['test/clients/*.screenshots.ts'];
export default config;
