/** A single thread serves everybody: parsing a body of ten megabytes may take long, but other requests must be answered meanwhile. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLarge } from '../../../src/accept/large-json.ts';
import { type Parsed, readJson } from '../../../src/values/json.ts';

const maxCharacters = 1_500_000;

const many = (before: string, item: (nth: number) => string, after: string) => {
  const items: string[] = [];
  for (let nth = 0, size = 0; size < maxCharacters; nth++) {
    const next = item(nth);
    items.push(next);
    size += next.length + 1;
  }
  return before + items.join(',') + after;
};
const recordsOf = (item: (nth: number) => string) =>
  many('{"resource_id":"t","records":[', item, '],"method":"insert"}');

/** The result, and how often the event loop turned meanwhile. */
async function reading(text: string) {
  let turns = 0;
  let isDone = false;
  const tick = () => {
    turns++;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  const read = await whole(text, { depth: 32, questionBytes: 256_000 }).catch(String);
  isDone = true;
  return { read, turns };
}

/** The parsed call, including its records. */
async function whole(text: string, how: Parameters<typeof readLarge>[1], slice?: number): Promise<Parsed> {
  const { parsed, records } = await readLarge(text, how, slice);
  if (records === null || 'reason' in parsed) return parsed;
  return { value: { ...Object(parsed.value), records: await records() } };
}

// Parsed in one step, ten megabytes of these would block for up to half a second.
test.each([
  ['records', recordsOf((nth) => `{"id":${nth},"name":"some text","price":1.5,"when":"2020-01-01"}`)],
  ['numbers to the digit', recordsOf((nth) => `{"id":${nth},"price":1.50,"cost":2.50,"total":12345678901234567}`)],
  ['records that are all different', recordsOf((nth) => `{"k${nth}":1,"l${nth}":2,"m${nth}":3}`)],
  ['records of nothing', recordsOf(() => '{}')],
])('many %s are read, and others answered', async (_, text) => {
  const { read, turns } = await reading(text);
  expect(read).toHaveProperty('value.records.length', text.split('{').length - 2);
  expect(read).toHaveProperty('value.method', 'insert');
  expect(turns).toBeGreaterThan(1);
});

test.each([
  ['keys of a filter', many('{"filters":{', (nth) => `"k${nth}":1`, '}}')],
  ['numbers', many('{"filters":{"a":[', () => '1.0', ']}}')],
  ['lists in lists', many('{"filters":{"a":[', () => '[]', ']}}')],
  ['records elsewhere', many('{"a":{"records":[', () => '{}', ']}}')],
  ['fields, one of them twice', many('{"k1":1,', (nth) => `"k${nth}":1`, '}')],
  ['characters of one text', `{"q":"${'a'.repeat(maxCharacters)}"}`],
  ['characters beside the records', `{"q":"${'a'.repeat(maxCharacters)}","records":[{},{}]}`],
])('many %s are refused before anything is made of them', async (_, text) => {
  const { read } = await reading(text);
  expect(read).toContain('Request Entity Too Large: more than 256000 bytes (limits.questionBytes)');
});

test.each([
  ['100000 values', many('{"records":[{"a":[', () => '1', ']}]}')],
  ['50000 members of objects', many('{"records":[{', (nth) => `"k${nth}":1`, '}]}')],
  ['40000 numbers such as 1.50', many('{"records":[{"a":[', () => '1.50', ']}]}')],
])('more than %s in one record are refused before anything is made of them', async (most, text) => {
  const { read } = await reading(text);
  expect(read).toContain(`JSON Error: more than ${most} beside the records of a call, or in one of them`);
});

test('records are not read before they are asked for', async () => {
  const wrong = many('{"resource_id":"t","records":[', () => '{"a":}', ']}');
  const { parsed, records } = await readLarge(wrong, { depth: 32, questionBytes: 256_000 });
  expect(parsed).toEqual({ value: { resource_id: 't', records: [] } });
  await expect(records?.()).rejects.toThrow('JSON Error: Error decoding JSON data');
});

test('parsed in slices it has the result of the whole, valid or not', async () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const call = fc.record({ id: fc.string(), records: fc.array(value, { maxLength: 30 }), q: value });
  const damage = fc.tuple(fc.nat(), fc.constantFrom('', ',', ']', '}', '[', '{', '"', ':', ' ', '1.50', '"records":['));
  await fc.assert(
    fc.asyncProperty(
      call,
      fc.option(damage, { freq: 3 }),
      fc.integer({ min: 1, max: 40 }),
      async (sent, hit, slice) => {
        const right = JSON.stringify(sent);
        const at = hit === null ? 0 : hit[0] % right.length;
        const text = hit === null ? right : right.slice(0, at) + hit[1] + right.slice(at + 1);
        const result = async (read: () => unknown) => {
          try {
            const parsed = Object(await read());
            // Only whether there is an error is compared: its wording depends on the JavaScript engine.
            return 'value' in parsed ? parsed : 'no JSON';
          } catch (error) {
            return String(error).includes('Error decoding JSON data') ? 'no JSON' : String(error);
          }
        };
        const how = { depth: 32, questionBytes: text.length - 1 };
        const [cut, expected] = [await result(() => whole(text, how, slice)), await result(() => readJson(text, 32))];
        // Without a list of records that could be split off, the whole body counts as too large.
        if (String(cut).includes('Request Entity Too Large'))
          expect(Object(Object(expected).value).records ?? []).toEqual([]);
        else expect(cut).toEqual(expected);
      },
    ),
    { numRuns: 500, seed: 1 },
  );
});

test.each([
  ['{"records":[1,2,,3]}', 16],
  ['{"records":[1,2,3,]}', 18],
  ['{"records":[1,2,3}}', 17],
  ['{"records":[1,2,3],}', 19],
  ['{"a":1,"records":[1,2,[3}]}', 24],
])('the position of the error in %s is that in the whole body', async (text, place) => {
  const read = await whole(text, { depth: 32, questionBytes: text.length - 1 }, 2).then(
    (parsed) => ('reason' in parsed ? parsed.reason : ''),
    String,
  );
  expect(read).toMatch(new RegExp(`position ${place}|is not valid JSON`));
});
