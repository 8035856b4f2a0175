/** The explorer in a browser: axe finds nothing on any page, in any state, width and theme. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { editing } from './explorer-edit-states.ts';
import { openAs, openEditable } from './explorer-form.ts';
import { openPlaces } from './explorer-places.ts';
import { reading } from './explorer-states.ts';
import { type Explorer, token, violations } from './explorer-world.ts';

const themes = [{ colorScheme: 'light' }, { colorScheme: 'dark' }] as const;
const forced = { colorScheme: 'light', forcedColors: 'active' } as const;
const widths = [
  { width: 320, looks: themes },
  { width: 390, looks: themes },
  { width: 1440, looks: [...themes, forced] },
];

describe.each([
  { who: 'a reader', states: reading, serve: () => openPlaces('postgres') },
  { who: 'a writer', states: editing, serve: openEditable },
])('$who', ({ who, states, serve }) => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await serve();
  });
  afterAll(() => explorer?.stop());

  const cases = states.flatMap((state) => widths.map((look) => ({ ...state, ...look })));
  test.each(cases)('$name at $width px', async ({ path, stub, lead, width, looks }) => {
    const options = { viewport: { width, height: 844 }, reducedMotion: 'reduce' } as const;
    const address = `/datastore/explore${path}`;
    const { page, close } =
      who === 'a writer'
        ? await openAs(explorer, token, address, options)
        : await explorer.open('/datastore/explore/-/licenses.txt', options);
    if (who === 'a reader') {
      await stub?.(page);
      await page.goto(`${explorer.url}${address}`);
    }
    await lead(page, explorer);
    const found: string[] = [];
    for (const look of looks) {
      await page.emulateMedia(look);
      found.push(...(await violations(page)).map((one) => `${Object.values(look)} ${one}`));
    }
    expect(found).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await close();
  });
});
