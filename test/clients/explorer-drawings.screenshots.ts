/** The demo in the views of the design's drawings, to hold beside them: `SCREENSHOTS=FOLDER npm run screenshots -- drawings`. */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programAt, type Running } from '../support/program.ts';
import { find, thisMachine } from '../support/servers/programs.ts';

const { SCREENSHOTS: folder } = process.env;
const airports = '/airports';
const sorted = 'filters={"runway":{"gte":3}}&sort=runway+desc+nulls+last';
const views: Readonly<Record<string, string>> = {
  front: '',
  'front-q': '?q=code',
  data: `${airports}?${sorted}`,
  record: `${airports}?row={"iata":"MUC"}`,
  about: `${airports}?view=about`,
  map: `${airports}?view=map&size=runway&at=10,50,5`,
  'map-world': `${airports}?view=map`,
  summary: `${airports}?view=summary&by=country,runway,rail,opened`,
  'edit-clerk': `${airports}?view=edit&row={"iata":"MUC"}`,
  empty: `${airports}?q=nowhere&filters={"country":"DE","runway":{"gte":30}}`,
};
const looks = [1440, 390].flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ width, theme })));
const pictures = Object.entries(views).flatMap(([name, path]) => looks.map((look) => ({ name, path, ...look })));

describe.skipIf(folder === undefined)('the demo', () => {
  let demo: Running;
  let browser: Browser;
  let token = '';
  beforeAll(async () => {
    const program = programAt(resolve(import.meta.dirname, '../../dist/main.js'), tmpdir());
    const running = await program.serve(['serve', '--port', '0']);
    if ('code' in running) throw new Error(running.stderr);
    demo = running;
    [, token = ''] = await demo.printed(/Token for writing: (\S+)/);
    browser = await chromium.launch({
      executablePath: find('chromium', thisMachine()) ?? 'chromium',
      args: ['--no-sandbox'],
    });
    mkdirSync(folder ?? '', { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    await demo?.stop();
  });

  test.each(pictures)('$name at $width px, $theme', async ({ name, path, width, theme }) => {
    const context = await browser.newContext({
      ...{ locale: 'en', colorScheme: theme, viewport: { width, height: width === 390 ? 844 : 900 } },
      hasTouch: width === 390,
    });
    const page = await context.newPage();
    await page.goto(`${demo.url}/datastore/explore${path}${name === 'edit-clerk' ? `#token=${token}` : ''}`);
    await page.waitForLoadState('networkidle');
    await expect.poll(() => page.getByText(/^(?:Loading|counting) …$/).count(), { timeout: 20_000 }).toBe(0);
    await page.screenshot({
      path: resolve(folder ?? '', `${name}${theme === 'dark' ? '-dark' : ''}-${width}.png`),
      animations: 'disabled',
    });
    await context.close();
  });
});
