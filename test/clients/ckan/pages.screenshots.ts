/** Takes the pictures of CKAN's pages for the docs: `npm run screenshots`. */
import { resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { resultOf } from '../../support/ckan/site.ts';
import { ids, openPortal } from './portal.ts';

const folder = process.env.SCREENSHOTS ?? resolve(import.meta.dirname, '../../../docs/pictures');

test('the explorer over MariaDB, and the table view of CKAN over PostgreSQL', { timeout: 120_000 }, async () => {
  const bin = inject('ckan');
  expect(bin).not.toBeNull();
  const portal = await openPortal(bin ?? '', 'datatables_view webpage_view');
  const { organization } = await resultOf(portal.ckan, 'package_show', { id: 'open-data' });
  await resultOf(portal.ckan, 'organization_patch', { id: organization.id, title: 'Building department' });
  await resultOf(portal.ckan, 'package_patch', { id: 'open-data', title: 'Construction' });
  const browser = await chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox'] });
  const take = async (name: string, engine: string, show: (page: Page) => Promise<void>) => {
    const page = await browser.newPage({ viewport: { width: 1180, height: 820 } });
    await page.goto(`${portal.ckan.url}/dataset/open-data/resource/${ids(engine).permits}`);
    await show(page);
    // The texture of the background would double the size of the file.
    await page.addStyleTag({ content: '* { background-image: none !important }' });
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: `${folder}/${name}.png` });
    await page.close();
  };
  try {
    await take('ckan-explorer', 'mariadb', async (page) => {
      const frame = page.frameLocator('iframe[title="Explorer"]');
      await frame.getByText('Permit no. 1', { exact: true }).first().waitFor();
    });
    await take('ckan-table', 'postgres', async (page) => {
      await page
        .locator('a', { hasText: /^\s*Table\s*$/ })
        .first()
        .click();
      await page.frameLocator('iframe').first().getByText('Permit no. 1', { exact: true }).first().waitFor();
    });
  } finally {
    await browser.close();
    await portal.close();
  }
});
