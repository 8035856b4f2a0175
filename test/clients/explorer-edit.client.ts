import { afterAll, beforeAll, expect, test } from 'vitest';
import { edit, field, first, openAs, openEditable, panel, press, stored, tasks } from './explorer-form.ts';
import { type Explorer, reader, rowsOf, token, waitForCount } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openEditable();
});
afterAll(() => explorer?.stop());

test('a change is shown before and after, with what the database does, and nothing else changes', async () => {
  const { page, consoleLines, sent, close } = await openAs(explorer, token, tasks);
  await edit(explorer, page);
  const before = await stored(explorer, first);
  await field(page, 'title').fill('new title');
  await field(page, 'amount').fill('12345678901234567890.0000000001');
  await press(page, 'Check');
  await page.getByText('This will be saved').waitFor();
  const changes = await page.locator('.review .field').evaluateAll((all) => all.map(({ textContent }) => textContent));
  expect(changes).toEqual([
    'title before task 1after new title',
    'amount before 12345678901234568.0000000001after 12345678901234567890.0000000001',
    'twice by the databasebefore 24691357802469136.0000000002after 24691357802469135780.0000000002',
    'seen by the databasebefore TASK 1after NEW TITLE',
  ]);
  const lefts = await page.locator('.review dd').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
  expect(new Set(lefts).size, 'before and after stand below each other').toBe(1);
  expect(await stored(explorer, first)).toBe(before);
  await press(page, 'Save');
  await page.getByText('Saved.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).and(page.locator(':focus')).waitFor();
  expect(await stored(explorer, first)).toBe(
    before
      .replace('"task 1"', '"new title"')
      .replace('12345678901234568.0000000001', '12345678901234567890.0000000001')
      .replace('24691357802469136.0000000002', '24691357802469135780.0000000002')
      .replace('"TASK 1"', '"NEW TITLE"'),
  );
  await expect.poll(async () => (await rowsOf(page, 1))[0]?.[0]).toBe('new title');
  const writes = sent.filter(({ url }) => url.endsWith('datastore_upsert')).map(({ body }) => body);
  expect(writes.map((body) => body.includes('"dry_run":true'))).toEqual([true, false]);
  for (const body of writes)
    expect(body).toContain(`{"id":${first},"title":"new title","amount":12345678901234567890.0000000001}`);
  expect(consoleLines).toEqual([]);
  await close();
});

test('a record that was just saved can be changed and deleted before it has been read again', async () => {
  for (const [id, task, shown] of [
    [5, 'Edit', 'Check'],
    [6, 'Delete', 'Delete'],
  ] as const) {
    const { page, close } = await openAs(explorer, token, `/datastore/explore/scratch?row={"id":${id}}`);
    await press(page, 'Edit');
    await field(page, 'name').fill('saved');
    await press(page, 'Check');
    await page.getByText('This will be saved').waitFor();
    let read = () => {};
    const isRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    let saved = false;
    await page.route('**/datastore_*', async (route) => {
      const body = route.request().postData() ?? '';
      if (saved && body.includes('"limit":1,')) await isRead;
      saved ||= body.includes('"dry_run":false');
      await route.continue();
    });
    await press(page, 'Save');
    await page.getByText('Saved.', { exact: true }).waitFor();
    await press(page, task);
    read();
    await panel(page, 'Record').locator('form, .sure').getByRole('button', { name: shown, exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    if (task === 'Delete') await page.getByText('Delete this record?').waitFor();
    else expect(await field(page, 'name').inputValue()).toBe('saved');
    await close();
  }
});

test('NULL, the empty text, line breaks, documents and arrays stay what they are, and become what is chosen', async () => {
  const { page, consoleLines, close } = await openAs(explorer, token, tasks);
  const [nulls, empty, lines] = ['9007199254740993', '9007199254740994', '9007199254740992'];
  await edit(explorer, page, nulls);
  await page.getByLabel('note: empty means').selectOption('empty text');
  await press(page, 'Check');
  await page.locator('.review').getByText('before no value').waitFor();
  await page.locator('.review').getByText('after empty').waitFor();
  await press(page, 'Save');
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(await stored(explorer, nulls, 'note')).toBe('{"note":""}\n');
  await edit(explorer, page, empty);
  await page.getByLabel('note: empty means').selectOption('no value');
  await field(page, 'doc').fill('{"n": 1.50, "long": 9007199254740993.10, "none": null}');
  await field(page, 'tags').fill('["x", null, ""]');
  await field(page, 'stage').selectOption('done');
  await field(page, 'done').selectOption('yes');
  await field(page, 'due').fill('2024-02-29');
  await field(page, 'hours').fill('-Infinity');
  await press(page, 'Check');
  await press(page, 'Save');
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(await stored(explorer, empty, 'note,doc,tags,stage,done,due,hours')).toBe(
    '{"note":null,"doc":{"n": 1.50, "long": 9007199254740993.10, "none": null},"tags":["x",null,""],"stage":"done","done":true,"due":"2024-02-29","hours":"-Infinity"}\n',
  );
  // Clearing a number means NULL; only text can be empty.
  await edit(explorer, page, lines);
  await field(page, 'amount').fill('');
  expect(await field(page, 'amount').getAttribute('placeholder')).toBe('no value');
  await field(page, 'note').fill('three\nmore\nlines');
  await press(page, 'Check');
  await press(page, 'Save');
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(await stored(explorer, lines, 'amount,note')).toBe('{"amount":null,"note":"three\\r\\nmore\\r\\nlines"}\n');
  expect(consoleLines).toEqual([]);
  await close();
});

test('a German page reads numbers and dates as Germans write them, and guesses nothing', async () => {
  const { page, sent, close } = await openAs(explorer, token, `${tasks}?row={"id":9007199254741001}`, { locale: 'de' });
  await press(page, 'Ändern');
  expect(await field(page, 'amount').inputValue()).toBe('12.345.678.901.234.578,0000000001');
  await field(page, 'amount').fill('1.2');
  await page.getByText('1,2 oder 12').waitFor();
  await press(page, 'Prüfen');
  await field(page, 'amount').and(page.locator('[aria-invalid=true]:focus')).waitFor();
  await field(page, 'amount').fill('1.265.000,5');
  await page.getByText('Gespeichert als 1265000.5').waitFor();
  await field(page, 'due').fill('1.3.2024');
  await field(page, 'at').fill('27.11.2026 08:30:00');
  await field(page, 'done').selectOption('ja');
  await press(page, 'Prüfen');
  await page.getByText('Das wird gespeichert').waitFor();
  const tried = sent.findLast(({ url }) => url.endsWith('datastore_upsert'))?.body;
  expect(tried).toContain('"amount":1265000.5,"due":"2024-03-01","at":"2026-11-27T08:30:00","done":true}');
  await close();
});

test('what is wrong is said at its field, and nothing is saved', async () => {
  const { page, close } = await openAs(explorer, token, tasks);
  const before = await stored(explorer, first);
  await edit(explorer, page);
  for (const [name, value, words] of [
    ['amount', 'a lot', 'A number such as 12'],
    ['amount', '1e40', 'more than the column takes: numeric(30,10)'],
    ['due', '2023-02-29', 'A date such as 2026-11-27'],
    ['doc', '{"n": ', 'This is no JSON.'],
    ['title', '', null],
  ] as const) {
    if (value === '')
      await page
        .getByLabel('title: empty means')
        .count()
        .then((n) => expect(n).toBe(0));
    else {
      await field(page, name).fill(value);
      await press(page, 'Check');
      await page
        .locator('.edit-field', { hasText: words ?? '' })
        .getByLabel(name, { exact: true })
        .and(page.locator('[aria-invalid=true]:focus'))
        .waitFor();
      await page.getByRole('alert').filter({ hasText: 'see the fields below' }).waitFor();
      page.once('dialog', (dialog) => void dialog.accept());
      await press(page, 'Cancel');
      await press(page, 'Edit');
      await field(page, 'title').waitFor();
    }
  }
  // The table has a CHECK constraint on this column.
  await field(page, 'amount').fill('-1');
  await press(page, 'Check');
  await page.getByRole('alert').waitFor();
  expect(await stored(explorer, first)).toBe(before);
  await close();
});

test('what somebody else has changed meanwhile is shown, and not overwritten', async () => {
  const { page, close } = await openAs(explorer, token, tasks);
  const id = '9007199254740995';
  await edit(explorer, page, id);
  await field(page, 'title').fill('mine');
  await explorer.exec(`UPDATE tasks SET note = 'theirs', amount = 7 WHERE id = ${id}`);
  await press(page, 'Check');
  await page.getByRole('alert').filter({ hasText: 'Somebody has changed amount, note, twice meanwhile' }).waitFor();
  expect(await field(page, 'note').inputValue()).toBe('theirs');
  expect(await field(page, 'title').inputValue()).toBe('mine');
  expect(await page.locator('.conflict', { hasText: 'yours' }).count()).toBe(0);
  await press(page, 'Check');
  await page.getByText('This will be saved').waitFor();
  await explorer.exec(`UPDATE tasks SET title = 'theirs too' WHERE id = ${id}`);
  await press(page, 'Save');
  await field(page, 'title').and(page.locator('[aria-invalid=true]:focus')).waitFor();
  await page.getByText('Somebody else has changed this, too.').waitFor();
  expect(await page.locator('.conflict').first().locator('dl > div').allTextContents()).toEqual([
    'yoursmine',
    'theirstheirs too',
    'beforetask 5',
  ]);
  expect(await stored(explorer, id, 'title,note,amount')).toBe(
    '{"title":"theirs too","note":"theirs","amount":7.0000000000}\n',
  );
  await press(page, 'Check');
  await page.getByText('before theirs too', { exact: true }).waitFor();
  await press(page, 'Save');
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(await stored(explorer, id, 'title,note,amount')).toBe(
    '{"title":"mine","note":"theirs","amount":7.0000000000}\n',
  );
  await edit(explorer, page, id);
  await explorer.exec(`DELETE FROM tasks WHERE id = ${id}`);
  await field(page, 'title').fill('gone');
  await press(page, 'Check');
  await page.getByRole('alert').filter({ hasText: 'not there any more' }).waitFor();
  await close();
});

test('a form that is not saved is not left without being asked', async () => {
  const { page, close } = await openAs(explorer, token, tasks);
  await edit(explorer, page);
  await page.locator('td[data-row="0"][data-column="1"]').click();
  // A step of the page's own, so that Back does not load another one.
  await page.locator('td[data-row="4"][data-column="1"]').click();
  await press(page, 'Edit');
  await field(page, 'title').fill('unsaved');
  const address = page.url();
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Summary' }).click();
  await page.locator('td[data-row="3"][data-column="1"]').click();
  await page.getByRole('link', { name: 'Tables' }).click();
  await page.evaluate('history.back()');
  await expect.poll(() => dialogs).toEqual(Array(5).fill('Leave without saving what you have changed?'));
  await expect.poll(() => page.url()).toBe(address);
  expect(await field(page, 'title').inputValue()).toBe('unsaved');
  page.removeAllListeners('dialog');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.evaluate('history.back()');
  await panel(page, 'Record').locator('form').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('row')).toBe(`{"id":${first}}`);
  await close();
});

test('Refresh reads the open record again, but never below a form that is not saved', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore/scratch?row={"id":9}');
  const values = panel(page, 'Record').locator('.record');
  await values.getByText('item 9').waitFor();
  await explorer.exec("UPDATE scratch SET name = 'theirs' WHERE id = 9");
  await press(page, 'Refresh');
  await values.getByText('theirs').waitFor();
  await press(page, 'Edit');
  await field(page, 'amount').fill('9.5');
  await explorer.exec("UPDATE scratch SET name = 'item 9' WHERE id = 9");
  await press(page, 'Refresh');
  await page.locator('td[data-row="8"]', { hasText: 'item 9' }).waitFor();
  expect(await field(page, 'amount').inputValue()).toBe('9.5');
  await press(page, 'Cancel');
  await values.getByText('item 9').waitFor();
  await close();
});

test('with keys alone: a record is added with its defaults, and deleted; the table shows both at once', async () => {
  const { page, consoleLines, close } = await openAs(explorer, token, '/datastore/explore/scratch');
  await waitForCount(page, '20 records');
  await page.getByRole('button', { name: 'Edit data', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add record' }).focus();
  await page.keyboard.press('Enter');
  await field(page, 'name').focus();
  await page.keyboard.type('by keys');
  await page.keyboard.press('Control+Enter');
  await page.getByText('This record will be added').waitFor();
  await page.locator('.review .field', { hasText: 'by the database' }).filter({ hasText: 'id' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await waitForCount(page, '21 records');
  const record = panel(page, 'Record');
  await record.getByRole('heading', { name: 'by keys' }).waitFor();
  await record.getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Delete' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
  await page.getByText('Delete this record?').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await waitForCount(page, '20 records');
  await record.waitFor({ state: 'detached' });
  expect(consoleLines).toEqual([]);
  await close();
});

test('in Edit mode records have boxes, and a double click or Enter opens the form; Done ends it', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore/scratch');
  await rowsOf(page);
  expect(await page.locator('.mark').count()).toBe(0);
  await press(page, 'Edit data');
  await page.getByRole('region', { name: 'Editing' }).getByText('You are editing.').waitFor();
  await page.locator('td.mark').first().waitFor();
  await page.locator('td[data-row="1"][data-column="0"]').dblclick();
  await field(page, 'name').and(page.locator(':focus')).waitFor();
  expect(await field(page, 'name').inputValue()).toBe('item 2');
  await page.keyboard.press('Escape');
  await page.locator('.grid td:focus').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => field(page, 'name').inputValue()).toBe('item 3');
  // The mode is in the address, so a reload keeps it.
  await page.reload();
  await expect.poll(() => field(page, 'name').inputValue()).toBe('item 3');
  await press(page, 'Done');
  await page.getByRole('button', { name: 'Edit data' }).and(page.locator(':focus')).waitFor();
  expect(await page.locator('.mark, .panel, .edit-bar').count()).toBe(0);
  await close();
});

test('the last save is undone, but not over the changes of somebody else', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore/scratch?view=edit');
  const undo = page.getByRole('button', { name: 'Undo last save' });
  const nameOf = async (id: number) => {
    const { records } = await explorer.result('datastore_search', {
      resource_id: 'scratch',
      filters: { id },
      fields: ['name'],
    });
    return records;
  };
  const change = async (to: string) => {
    await page.locator('td[data-row="7"][data-column="0"]').dblclick();
    await field(page, 'name').fill(to);
    await press(page, 'Check');
    await page.getByText('This will be saved').waitFor();
    await press(page, 'Save');
    await page.getByText('Saved.', { exact: true }).waitFor();
  };
  await rowsOf(page);
  await undo.and(page.locator(':disabled')).waitFor();
  await change('to be undone');
  expect(await nameOf(8)).toEqual([{ name: 'to be undone' }]);
  await undo.click();
  await page.getByText('The last save is undone.').waitFor();
  expect(await nameOf(8)).toEqual([{ name: 'item 8' }]);
  await undo.and(page.locator(':disabled')).waitFor();
  await change('mine');
  await explorer.exec(`UPDATE scratch SET name = 'theirs' WHERE id = 8`);
  await undo.click();
  await page.getByRole('alert').filter({ hasText: 'Somebody has changed name' }).waitFor();
  expect(await nameOf(8)).toEqual([{ name: 'theirs' }]);
  await explorer.exec(`UPDATE scratch SET name = 'item 8' WHERE id = 8`);
  await press(page, 'Add record');
  await field(page, 'name').fill('added');
  await press(page, 'Check');
  await page.getByText('This record will be added').waitFor();
  await press(page, 'Save');
  await waitForCount(page, '21 records');
  await undo.click();
  await waitForCount(page, '20 records');
  await close();
});

test('a record whose key is binary is opened, changed and deleted; two presses at once save once', async () => {
  const { page, sent, close } = await openAs(explorer, token, '/datastore/explore/bytes');
  await rowsOf(page);
  await page.locator('td[data-row="1"][data-column="0"]').dblclick();
  await press(page, 'Edit');
  const long = 'x'.repeat(3000);
  await field(page, 'name').fill(`${long}y`);
  await press(page, 'Check');
  await page.getByText('This will be saved').waitFor();
  const writes = () => sent.filter(({ body }) => body.includes('"dry_run":false')).length;
  await page.evaluate("{ const save = document.querySelector('.edit .primary'); save.click(); save.click(); }");
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(writes()).toBe(1);
  // A long text is shown from shortly before the first difference.
  await press(page, 'Edit');
  await field(page, 'name').fill(`${long}z`);
  await press(page, 'Check');
  await page.locator('.review ins', { hasText: /…x{100}z$/ }).waitFor();
  await press(page, 'Change');
  await press(page, 'Cancel');
  await press(page, 'Delete');
  await panel(page, 'Delete').getByRole('button', { name: 'Delete' }).click();
  await waitForCount(page, '1 record');
  await close();
});

test('a change far down leaves the records where they are on the screen', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore/long');
  await waitForCount(page, '500 records');
  const grid = page.locator('.grid');
  for (const row of [90, 190, 290, 390]) {
    await grid.evaluate((box, to) => box.scrollTo(0, to * 36), row);
    await page.locator(`td[data-row="${row + 3}"][data-column="0"]:not(:has(.wait))`).waitFor();
  }
  await page.locator('td[data-row="393"][data-column="0"]').dblclick();
  await press(page, 'Edit');
  await field(page, 'name').fill('changed');
  await press(page, 'Check');
  const at = await grid.evaluate((box) => box.scrollTop);
  await press(page, 'Save');
  await page.locator('td[data-row="393"][data-column="0"]', { hasText: 'changed' }).waitFor();
  expect(await grid.evaluate((box) => box.scrollTop)).toBe(at);
  await press(page, 'Delete');
  await panel(page, 'Delete').getByRole('button', { name: 'Delete' }).click();
  await waitForCount(page, '499 records');
  await page.locator('td[data-row="393"][data-column="1"]', { hasText: '395' }).waitFor();
  expect(await grid.evaluate((box) => box.scrollTop)).toBe(at);
  // The focus returns to the grid, so that keyboard users can continue there.
  await page.locator('.grid td:focus').waitFor();
  await close();
});

test('a record that was changed meanwhile is shown again before it is deleted, and an address deletes nothing else', async () => {
  const { page, close } = await openAs(explorer, token, tasks);
  // The filters in this address match many records, and the page shows the first of them.
  await page.goto(`${explorer.url}${tasks}?row={"id":{"gt":0}}`);
  await press(page, 'Delete');
  const sure = panel(page, 'Delete');
  await sure.getByText('Delete this record?').waitFor();
  await explorer.exec(`UPDATE tasks SET note = 'look again' WHERE id = ${first}`);
  await sure.getByRole('button', { name: 'Delete' }).click();
  await sure.getByText('look again').waitFor();
  await sure.getByRole('button', { name: 'Check' }).click();
  const before = Number((await explorer.result('datastore_search', { resource_id: 'tasks', limit: 0 })).total);
  await sure.getByRole('button', { name: 'Delete' }).click();
  await waitForCount(page, `${before - 1} records`);
  expect(await stored(explorer, first)).toBe('');
  await close();
});

test('who may not write sees nothing of it; a table without a key takes new records only', async () => {
  const { page, close } = await openAs(explorer, reader, `${tasks}?row={"id":9007199254740996}`);
  await panel(page, 'Record').getByRole('button', { name: 'Copy link' }).waitFor();
  expect(await page.getByRole('button', { name: /^(?:Edit data|Edit|Delete)$/ }).count()).toBe(0);
  await close();
  const other = await openAs(explorer, token, '/datastore/explore/log?view=add');
  await other.page.getByText('This table has no key').waitFor();
  await field(other.page, 'a').fill('without a key');
  await press(other.page, 'Check');
  await other.page.getByText('is not shown here').waitFor();
  await press(other.page, 'Save');
  await waitForCount(other.page, '351 records');
  await other.page.locator('td[data-row="0"][data-column="0"]').dblclick();
  await other.page.getByText('have no key').waitFor();
  expect(await other.page.getByRole('button', { name: /^(?:Edit|Delete)$/ }).count()).toBe(0);
  await other.page.goto(`${explorer.url}/datastore/explore/log?view=api`);
  await press(other.page, 'Write');
  await other.page.locator('pre code', { hasText: 'insert' }).waitFor();
  await other.close();
});

test('a save without an answer says that it may be done', async () => {
  const { page, close } = await openAs(explorer, token, tasks);
  await edit(explorer, page, '9007199254740997');
  await field(page, 'title').fill('perhaps');
  await press(page, 'Check');
  await page.getByText('This will be saved').waitFor();
  await page.route('**/datastore_upsert', (route) => route.abort());
  await press(page, 'Save');
  await page.getByRole('alert').filter({ hasText: 'it may be done' }).waitFor();
  await close();
});

test('a binary value that cannot be loaded says why, and is loaded when it is tried again', async () => {
  const { page, close } = await openAs(explorer, token, `${tasks}?row={"id":9007199254741002}`);
  const data = panel(page, 'Record').locator('.field', { hasText: 'data' });
  const load = data.getByRole('button', { name: 'Load' });
  await load.waitFor();
  await page.route('**/datastore_search', (route) => route.abort());
  await load.click();
  await data.getByRole('alert').filter({ hasText: 'The gateway does not answer.' }).waitFor();
  await page.unroute('**/datastore_search');
  await data.getByRole('button', { name: 'Try again' }).click();
  await data.getByText('\\x0001').waitFor();
  await close();
});

test('a new record that the browser sends twice is added once, with the key that was shown', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore/scratch?view=add');
  const ids = async () => {
    const search = { resource_id: 'scratch', filters: { name: 'sent twice' }, fields: ['id'] };
    const { records } = await explorer.result('datastore_search', search);
    return records;
  };
  await field(page, 'name').fill('sent twice');
  await press(page, 'Check');
  const shown = page.locator('.review .field', { hasText: 'by the database' }).filter({ hasText: 'id' }).locator('ins');
  const id = Number(/\d+/.exec((await shown.textContent()) ?? '')?.[0]);
  await page.route('**/datastore_upsert', async (route) => {
    await route.fetch();
    await route.continue();
  });
  await press(page, 'Save');
  await page.getByRole('alert').filter({ hasText: 'it may be done' }).waitFor();
  expect(await ids()).toEqual([{ id }]);
  await explorer.exec(`DELETE FROM scratch WHERE id = ${id}`);
  await close();
});
