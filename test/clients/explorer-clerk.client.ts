/** The explorer in a browser, for clerks: signing in to edit, foreign keys to choose, and what a new record needs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enterKnown, field, openAs, openEditable, panel, press } from './explorer-form.ts';
import { type Explorer, reader, rowsOf, token, waitForCount } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openEditable();
});
afterAll(() => explorer?.stop());

const towns = '/datastore/explore/towns';

test('without a token the table offers to sign in to edit; with one it depends on the token', async () => {
  const { page, close } = await explorer.open(towns);
  await rowsOf(page);
  await press(page, 'Sign in to edit');
  await page.keyboard.press('Escape');
  await enterKnown(page, token);
  await page.getByRole('button', { name: 'Edit data' }).waitFor();
  await close();
  const other = await openAs(explorer, reader, towns);
  await rowsOf(other.page);
  expect(await other.page.getByRole('button', { name: /^(?:Edit data|Sign in to edit)$/ }).count()).toBe(0);
  // Nobody may write this table.
  await other.page.goto(`${explorer.url}/datastore/explore/countries`);
  await other.page.evaluate('sessionStorage.clear()');
  await other.page.reload();
  await rowsOf(other.page);
  expect(await other.page.getByRole('button', { name: 'Sign in to edit' }).count()).toBe(0);
  await other.close();
});

test('a new record is marked where nothing else fills a column, and lacks nothing else', async () => {
  const { page, sent, close } = await openAs(explorer, token, `${towns}?view=add`);
  await field(page, 'name').waitFor();
  const marked = page.locator('.edit-field', { has: page.locator('.required') }).locator('label');
  expect(await marked.allTextContents()).toEqual(['id', 'name', 'country']);
  await field(page, 'id').fill('3');
  await press(page, 'Check');
  await field(page, 'name').and(page.locator('[aria-invalid=true]:focus')).waitFor();
  expect(await page.locator('.wrong', { hasText: 'A value is needed here.' }).count()).toBe(2);
  expect(sent.filter(({ url }) => url.endsWith('datastore_upsert'))).toEqual([]);
  // A required choice shows no value that nobody has chosen.
  await page.goto(`${explorer.url}/datastore/explore/votes?view=add`);
  await field(page, 'id').fill('1');
  expect(await field(page, 'agrees').inputValue()).toBe('');
  await field(page, 'agrees').selectOption('yes');
  await press(page, 'Check');
  await page.getByText('This record will be added').waitFor();
  await close();
});

test('a field says what goes into it: its kind, its unit at its end, and its notes', async () => {
  const { page, close } = await openAs(explorer, token, `${towns}?row={"id":1}&view=edit`);
  const people = field(page, 'People');
  await people.waitFor();
  const ids = (await people.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const described = () => Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()));
  expect(await described()).toEqual(['whole number', 'people', 'Last estimate', '']);
  const [box, unit] = await Promise.all([people.boundingBox(), page.locator('.edit-box .unit').boundingBox()]);
  if (box === null || unit === null) throw new Error('not shown');
  expect(unit.x).toBeGreaterThan(box.x + box.width / 2);
  expect(unit.x + unit.width).toBeLessThan(box.x + box.width);
  await people.fill('1512000');
  expect(await described()).toEqual(['whole number', 'people', 'Was 1,505,005 · Last estimate', '']);
  await close();
});

test('a foreign key is a list to type in: by its label, by its code, or any code', async () => {
  const { page, sent, close } = await openAs(explorer, token, `${towns}?row={"id":1}&view=edit`);
  const country = field(page, 'country');
  await expect.poll(() => country.inputValue()).toBe('Germany');
  await page.locator('.edit-box .code-beside', { hasText: 'DE' }).waitFor();
  await page.getByText('Choose from Countries, or type a name').waitFor();
  await country.focus();
  await page.keyboard.type('poL');
  const options = page.locator('[role=option]');
  await expect.poll(() => options.allTextContents()).toEqual(['50% _of_ PolandXX', 'PolandPL']);
  // Escape closes the list, not the panel.
  await page.keyboard.press('Escape');
  await options.first().waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowDown');
  await options.nth(1).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { selected: true }).and(page.getByText('PolandPL')).waitFor();
  await page.keyboard.press('Enter');
  expect(await country.inputValue()).toBe('Poland');
  await press(page, 'Check');
  await page.locator('.review').getByText('before DE').waitFor();
  await page.locator('.review').getByText('after PL').waitFor();
  await press(page, 'Change');
  // Its pattern characters are text, and at most 20 records are read.
  await country.fill('50% _');
  await expect.poll(() => options.allTextContents()).toEqual(['50% _of_ PolandXX']);
  await country.fill('land');
  await expect.poll(() => options.count()).toBe(20);
  const reads = sent.filter(({ body }) => body.includes('"countries"') && body.includes('"ilike"'));
  for (const { body } of reads) expect(body).toContain('"limit":20');
  await country.fill('zz');
  await page.getByText('No record matches').waitFor();
  // Another code can be typed; the database decides.
  await press(page, 'Check');
  await page.locator('.edit-field .wrong', { hasText: 'There is no record that this refers to.' }).waitFor();
  await page.locator('details', { hasText: 'violates foreign key constraint on "country"' }).waitFor();
  await country.fill('de');
  await country.blur();
  expect(await country.inputValue()).toBe('de');
  await country.fill('Germany');
  await options.first().waitFor();
  await country.blur();
  await page.locator('.edit-box .code-beside', { hasText: 'DE' }).waitFor();
  await close();
});

test('a number that refers is chosen by name, and a name that is nobody is not taken for a number', async () => {
  const { page, sent, close } = await openAs(explorer, token, `${towns}?row={"id":1}&view=edit`);
  const twin = field(page, 'twin');
  await twin.fill('wars');
  await page.getByRole('option', { name: 'Warsaw' }).click();
  await page.locator('.edit-box .code-beside', { hasText: '2' }).waitFor();
  await press(page, 'Check');
  await page.locator('.review').getByText('after 2').waitFor();
  expect(sent.findLast(({ url }) => url.endsWith('datastore_upsert'))?.body).toContain('"twin":2}');
  await press(page, 'Change');
  await twin.fill('nobody');
  expect(await page.locator('[aria-invalid=true]').count()).toBe(0);
  await twin.blur();
  await page.getByText('Choose a record from the list, or type its code.').waitFor();
  await twin.fill('');
  await press(page, 'Check');
  await page.getByText('Nothing is changed.').waitFor();
  await panel(page, 'Record').waitFor();
  await close();
});

test('a German import reads numbers as Germans write them, a download as it is, and asks where it cannot know', async () => {
  const { page, sent, close } = await openAs(explorer, token, '/datastore/explore/scratch?view=import', {
    locale: 'de',
  });
  const rows = page.getByLabel('Zeilen');
  const tries = () => sent.filter(({ url }) => url.endsWith('datastore_upsert')).length;
  const amounts = () => page.locator('.preview ins').allTextContents();
  await rows.fill('id;amount\n1;1.265.000\n2;48,5');
  await page.getByLabel('Was zu tun ist').selectOption('Datensätze nach Schlüssel ändern');
  await press(page, 'Prüfen');
  await page.getByText('Geprüft: 2 Datensätze').waitFor();
  expect(await amounts()).toEqual(['nachher 1265000.0000', 'nachher 48.5000']);
  await rows.fill('id,amount\n1,1.2650\n2,1.265');
  await press(page, 'Prüfen');
  await page.getByText('Geprüft: 2 Datensätze').waitFor();
  expect(await amounts()).toEqual(['nachher 1.2650', 'nachher 1.2650']);
  await rows.fill('id;amount\n1;1.265\n2;48,5\n3;0.5');
  await press(page, 'Prüfen');
  await page.getByRole('alert').filter({ hasText: 'Datensatz 3, amount: Schreiben Sie 0,5 oder 05' }).waitFor();
  await rows.fill('id;amount\n1;1.265');
  await page.getByText('Schreiben Sie 1,265 oder 1265').waitFor();
  const before = tries();
  await press(page, 'Prüfen');
  await page.getByLabel('1.265 bedeutet').and(page.locator(':invalid')).waitFor();
  expect(tries()).toBe(before);
  await page.getByLabel('1.265 bedeutet').selectOption('1,265');
  await press(page, 'Prüfen');
  await page.getByText('Geprüft: 1 Datensatz').waitFor();
  expect(await amounts()).toEqual(['nachher 1.2650']);
  await close();
});

test('an import and a delete are undone, but not over the changes of somebody else, and not above the limit', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore/scratch?view=import');
  const names = async () => {
    const { records } = await explorer.result('datastore_search', {
      ...{ resource_id: 'scratch', fields: ['name'], filters: { id: { lte: 4 } }, sort: 'id', records_format: 'csv' },
    });
    return String(records).trim().split('\n');
  };
  const save = async (text: string, method: string) => {
    await page.getByLabel('Rows').fill(text);
    await page.getByLabel('What to do').selectOption(method);
    await press(page, 'Check');
    await page.getByText('Checked:').waitFor();
    await page.getByRole('button', { name: /^Save \d/ }).click();
    await page.getByText(/^Saved: /).waitFor();
  };
  const [before, three] = [await names(), 'id;name\n1;one\n2;two\n900;new'];
  await save(three, 'Change records by key, add others');
  await waitForCount(page, '21 records');
  expect(await names()).toEqual(['one', 'two', 'item 3', 'item 4']);
  await press(page, 'Undo last import');
  await page.getByText('The import is undone.').waitFor();
  expect(await names()).toEqual(before);
  await waitForCount(page, '20 records');
  await press(page, 'Import');
  await save(three, 'Change records by key, add others');
  await explorer.exec("UPDATE scratch SET name = 'theirs' WHERE id = 2");
  await press(page, 'Undo last import');
  await page.getByRole('alert').filter({ hasText: 'Somebody has changed name since. Nothing is undone.' }).waitFor();
  expect(await names()).toEqual(['one', 'theirs', 'item 3', 'item 4']);
  await explorer.exec("UPDATE scratch SET name = 'two' WHERE id = 2");
  await press(page, 'Undo last import');
  await waitForCount(page, '20 records');
  // Marked records are deleted, and brought back with their keys.
  for (const row of [0, 2]) await page.locator(`td[data-mark="${row}"]`).click();
  await press(page, 'Delete …');
  await page.getByText('Delete 2 records? Edit data can undo it').waitFor();
  await press(page, 'Delete 2 records');
  await waitForCount(page, '18 records');
  await explorer.exec("INSERT INTO scratch (id, name) VALUES (3, 'mine')");
  await press(page, 'Undo last delete');
  await page.getByRole('alert').filter({ hasText: 'There is a record with this key again.' }).waitFor();
  await explorer.exec('DELETE FROM scratch WHERE id = 3');
  await press(page, 'Undo last delete');
  await page.getByText('The records are back.').waitFor();
  expect(await names()).toEqual(before);
  await press(page, 'Import');
  await page.getByLabel('Rows').fill(`name\n${'many\n'.repeat(1001)}`);
  await page.getByLabel('What to do').selectOption('Add new records');
  await press(page, 'Check');
  await page.getByText('This cannot be undone: the tab keeps at most 1,000 records.').waitFor();
  page.once('dialog', (dialog) => void dialog.accept());
  await close();
});

test('an undo is not offered where a column is generated or binary', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore/tasks?row={"id":9007199254740999}');
  await press(page, 'Delete');
  await page.getByText('Delete this record? This cannot be undone.').waitFor();
  await close();
});

test('a German page says in German what the database refuses, and reads dates in filters, too', async () => {
  const { page, sent, close } = await openAs(
    explorer,
    token,
    '/datastore/explore/tasks?row={"id":9007199254740998}&view=edit',
    { locale: 'de' },
  );
  for (const [name, value, words] of [
    ['due', '30.2.2026', 'Ein Datum wie 27.11.2026'],
    ['at', '1.3.2026 25:00', 'Ein Datum wie 27.11.2026'],
    ['amount', '1e40', 'Das ist mehr, als die Spalte fasst: numeric(30,10).'],
  ] as const) {
    const before = await field(page, name).inputValue();
    await field(page, name).fill(value);
    await press(page, 'Prüfen');
    await page.locator('.edit-field .wrong', { hasText: words }).waitFor();
    const shown = await page.locator('.edit').evaluate((form) => {
      for (const details of form.querySelectorAll('details')) details.remove();
      return form.textContent;
    });
    expect(shown).not.toMatch(/invalid|value|type /);
    await field(page, name).fill(before);
  }
  await page.goto(`${explorer.url}/datastore/explore/tasks?filters={"due":{"gte":"2026-02-01"}}`);
  await page.getByRole('button', { name: /^due ist ab/ }).click();
  expect(await page.getByLabel('Wert', { exact: true }).inputValue()).toBe('01.02.2026');
  await page.getByLabel('Wert', { exact: true }).fill('1.3.2026');
  await press(page, 'Filter ändern');
  await expect.poll(() => sent.some(({ body }) => body.includes('{"due":{"gte":"2026-03-01"}}'))).toBe(true);
  await close();
});

test.each([1440, 390])('the list is inside of a window of %i px', async (width) => {
  const look = { viewport: { width, height: 844 } };
  const { page, close } = await openAs(explorer, token, `${towns}?row={"id":1}&view=edit`, look);
  await field(page, 'country').fill('land');
  await page.locator('[role=option]').first().waitFor();
  const box = await page.getByRole('listbox').boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  await close();
});

test('what is typed replaces the label of a record, even if the label comes when the field has the focus', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore');
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/datastore_search', async (route) => {
    if (route.request().postData()?.includes('"countries"')) await isAsked;
    await route.continue();
  });
  await page.goto(`${explorer.url}${towns}?row={"id":1}&view=edit`);
  await field(page, 'country').focus();
  answer();
  await page.locator('.code-beside', { hasText: 'DE' }).waitFor();
  await page.keyboard.insertText('land');
  expect(await field(page, 'country').inputValue()).toBe('land');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await close();
});
