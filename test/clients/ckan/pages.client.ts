/** CKAN's own pages, in a browser, for tables of the gateway: Data API, data dictionary, table, downloads, explorer. */
import { readFile } from 'node:fs/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { resultOf } from '../../support/ckan/site.ts';
import { servers } from '../../support/servers/engines.ts';
import { ids, openPortal, type Portal, versions } from './portal.ts';

for (const [version, bin] of versions)
  describe.skipIf(bin === null)(`the pages of CKAN ${version}`, () => {
    let portal: Portal;
    let browser: Browser;

    beforeAll(async () => {
      portal = await openPortal(bin ?? '', 'datatables_view webpage_view');
      browser = await chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox'] });
    });
    afterAll(async () => {
      await browser?.close();
      await portal?.close();
    });

    /** Opens a page in a session of its own, and fails at the end if a script has. */
    async function visit(path: string, visitor: (page: Page) => Promise<void>): Promise<void> {
      const context = await browser.newContext({ viewport: { width: 1280, height: 1000 }, acceptDownloads: true });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      try {
        await page.goto(`${portal.ckan.url}${path}`);
        await visitor(page);
        expect(errors).toEqual([]);
      } finally {
        await context.close();
      }
    }
    const view = async (id: string, title: string): Promise<string> =>
      (await resultOf(portal.ckan, 'resource_view_list', { id })).find((one: { title: string }) => one.title === title)
        .id;

    describe.each(servers().map(({ name }) => name))('a table on %s', (engine) => {
      const { permits } = ids(engine);
      const path = `/dataset/open-data/resource/${permits}`;

      test('the resource page has the data dictionary, and the Data API dialog with calls that work', async () => {
        await visit(path, async (page) => {
          await page.getByRole('heading', { name: 'Data Dictionary' }).waitFor();
          expect(await page.getByText('Kind of work').count()).toBeGreaterThan(0);
          await page.locator('[data-module="api-info"]').first().click();
          const dialog = page.locator('.modal-content', { hasText: 'CKAN Data API' });
          await dialog.waitFor();
          const calls = await dialog.innerText();
          expect(calls).toContain(permits);
          const address = /http\S+datastore_search\b/.exec(calls)?.[0] ?? '';
          expect(address).toContain(portal.ckan.url);
          const answer = await fetch(`${address}?resource_id=${permits}&limit=1`);
          expect(await answer.json()).toMatchObject({ result: { total: 45 } });
        });
      });

      test('its download menu downloads the table', async () => {
        await visit(path, async (page) => {
          await page.locator('#dropdownDownloadFormat').click();
          const [download] = await Promise.all([
            page.waitForEvent('download'),
            page.locator('a.dropdown-item', { hasText: 'TSV' }).click(),
          ]);
          const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split(/\r?\n/);
          expect(lines).toHaveLength(46);
          expect(lines[1]).toMatch(/^1\t1\tPermit no\. 1\tgarage\tMill Lane 1\t1\.1000\t9007199254740993\t2024-02-02$/);
        });
      });

      test('the table pages, sorts and filters', async () => {
        await visit(`${path}/view/${await view(permits, 'Table')}`, async (page) => {
          const rows = page.locator('#dtprv tbody tr');
          const first = () => rows.first().innerText();
          const info = page.locator('#dtprv_info');
          await expect.poll(() => info.innerText()).toMatch(/45/);
          await expect.poll(() => rows.count()).toBe(20);
          expect(await first()).toContain('Permit no. 1');
          await page.locator('#dtprv_paginate .next, .dt-paging .next').first().click();
          await expect.poll(first).toContain('Permit no. 21');
          const number = page.locator('#dtprv_wrapper th', { hasText: /^\s*id/ }).first();
          await number.click();
          await number.click();
          await expect.poll(first).toContain('Permit no. 45');
          await page.locator('#dtprv_filter input, .dt-search input').first().fill('solar');
          await page.keyboard.press('Enter');
          await expect.poll(() => info.innerText()).toMatch(/\b11\b/);
          for (const text of await rows.allInnerTexts()) expect(text).toContain('solar');
        });
      });

      test('the explorer is the first view of the page', async () => {
        await visit(path, async (page) => {
          const frame = page.frameLocator(`iframe[src$="/datastore/explore/${permits}"]`);
          await frame.getByText('Permit no. 1', { exact: true }).first().waitFor();
          const height = await page.locator('iframe[title="Explorer"]').evaluate((one) => one.clientHeight);
          expect(height).toBeGreaterThan(599);
        });
      });

      test('a view of a web page shows the explorer without our extension', async () => {
        const settings = {
          view_type: 'webpage_view',
          title: 'Web',
          page_url: `${portal.gateway.url}/datastore/explore/${permits}`,
        };
        const { id } = await resultOf(portal.ckan, 'resource_view_create', { resource_id: permits, ...settings });
        await visit(`${path}/view/${id}`, async (page) => {
          await page.frameLocator('iframe').getByText('Permit no. 1', { exact: true }).first().waitFor();
        });
        await resultOf(portal.ckan, 'resource_view_delete', { id });
      });
    });

    test('the form of the data dictionary says where the dictionary is', async () => {
      const { permits } = ids(servers()[0]?.name ?? '');
      const { name, password } = portal.editor;
      await visit('/user/login', async (page) => {
        await page.locator('input[name=login]').fill(name);
        await page.locator('input[name=password]').fill(password);
        await page.locator('form button[type=submit].btn-primary').click();
        await page.waitForURL(/dashboard|\/user\/|dataset/);
        await page.goto(`${portal.ckan.url}/dataset/open-data/dictionary/${permits}`);
        await page.getByText('This resource is a table behind the gateway').waitFor();
        expect(await page.locator('button[name=save]').count()).toBe(0);
      });
    });
  });
