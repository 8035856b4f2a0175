/** How long decisions hold, and how many questions they cost, by a clock and a CKAN of the test. */
import { beforeEach, expect, test } from 'vitest';
import { anonymous, type Credential, ofCookies, ofToken } from '../../../../src/accept/verdicts/credential.ts';
import { callerWith, type VerdictSettings, Verdicts, type Wanted } from '../../../../src/accept/verdicts/verdicts.ts';
import { Refusal } from '../../../../src/model/errors.ts';
import type { Event } from '../../../../src/model/events.ts';
import type { ShortAnswer, UpstreamQuestion } from '../../../../src/model/upstream-question.ts';
import type { JsonObject } from '../../../../src/model/value.ts';

/** Milliseconds of the test's clock. */
let now = 0;
const events: Event[] = [];
/** What was asked, as `ana reads budget`, `ana writes budget` and `ana?`. */
const questions: string[] = [];
/** The rights in CKAN, as in `questions`. */
const rights = new Set<string>();
/** Those who have an account. */
const accounts = new Map<string, string>();
/** Holds questions back until it is resolved; null answers at once. */
let held: Promise<void> | null = null;
/** Answers in place of CKAN. */
let override: ((question: string) => ShortAnswer) | null = null;

beforeEach(() => {
  now = 1_000_000;
  events.length = 0;
  questions.length = 0;
  rights.clear();
  accounts.clear();
  held = null;
  override = null;
});

const answer = (status: number, body: JsonObject | null): ShortAnswer => ({ status, location: null, body });
const failed = (status: number, type: string) => answer(status, { success: false, error: { __type: type } });
const shown = (result: JsonObject) => answer(200, { success: true, result });

async function ask({ target, headers, body }: UpstreamQuestion): Promise<ShortAnswer> {
  const login = headers.authorization ?? headers.cookie ?? 'nobody';
  const id = body === null ? new URL(target, 'http://ckan').searchParams.get('id') : JSON.parse(body).resource_id;
  const question = id === null ? `${login}?` : `${login} ${body === null ? 'reads' : 'writes'} ${id}`;
  questions.push(question);
  await held;
  if (override !== null) return override(question);
  const name = accounts.get(login);
  if (id === null) return name === undefined ? failed(404, 'Not Found Error') : shown({ name });
  if (!rights.has(question)) return failed(403, 'Authorization Error');
  return body === null ? shown({ id }) : failed(404, 'Not Found Error');
}
const open = (settings: Partial<VerdictSettings> = {}) =>
  new Verdicts(
    { keep: 30_000, timeout: 3000, maxRequests: 32, ...settings },
    { ask, emit: (event) => events.push(event), now: () => now },
  );
/** The hash may be any text that differs from text to text. */
const hash = (text: string) => `${text.length}${text}`;
const token = (value: string) => ofToken({ header: 'authorization', value }, hash);
const ana = token('ana');
const budget = { id: 'budget', right: 'read' } as const;
const editing = { id: 'budget', right: 'write' } as const;

const is = async (verdicts: Verdicts, credential: Credential, wanted: Wanted = budget) =>
  (await verdicts.decide(credential, wanted)).is;
/** The verdict, or the refusal. */
const outcome = (verdicts: Verdicts, credential: Credential) =>
  is(verdicts, credential).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    return `${error.status} ${error.message}, after ${error.retryAfter} s`;
  });
/** The questions since the last call of this function, without those for accounts. */
const asked = () => questions.splice(0).filter((question) => !question.endsWith('?'));
const unchecked = '503 this login cannot be checked now, try again, after 2 s';
const full = '503 too many logins are being checked, try again, after 2 s';
const broken = () => answer(500, null);
/** Holds all questions back. @returns lets them go on */
function hold(): () => void {
  let release = (): void => undefined;
  held = new Promise((resolve) => {
    release = resolve;
  });
  return release;
}

test.each([
  ['yes', 30_000, 30_000],
  ['no', 30_000, 5000],
  ['yes', 2000, 2000],
  ['no', 2000, 2000],
] as const)('a %s with keep %d ms holds for %d ms, and is never used for longer', async (decided, keep, lasts) => {
  const verdicts = open({ keep });
  if (decided === 'yes') rights.add('ana reads budget');
  expect(await verdicts.decide(ana, budget)).toEqual({ ...budget, is: decided, until: now + lasts, name: null });
  // Nobody asks again before, although CKAN decides otherwise now.
  if (decided === 'yes') rights.clear();
  else rights.add('ana reads budget');
  now += lasts - 1;
  expect(await is(verdicts, ana)).toBe(decided);
  expect(asked()).toHaveLength(1);
  now += 1;
  expect(await is(verdicts, ana)).toBe(decided === 'yes' ? 'no' : 'yes');
  expect(asked()).toHaveLength(1);
});

test('a verdict holds from when it was asked for, not from when the answer came', async () => {
  const verdicts = open();
  rights.add('ana reads budget');
  const release = hold();
  const late = verdicts.decide(ana, budget);
  const began = now;
  now += 2900;
  release();
  expect((await late).until).toBe(began + 30_000);
});

test('while CKAN is away a verdict is used until its end, and no longer', async () => {
  const verdicts = open();
  rights.add('ana reads budget');
  expect(await outcome(verdicts, ana)).toBe('yes');
  override = broken;
  now += 29_999;
  expect(await outcome(verdicts, ana)).toBe('yes');
  now += 1;
  expect(await outcome(verdicts, ana)).toBe(unchecked);
  expect(await outcome(verdicts, ana)).toBe(unchecked);
  override = null;
  expect(await outcome(verdicts, ana)).toBe('yes');
  expect(events.flatMap((event) => (event.on === 'upstream asked' ? [event.result] : []))).toEqual([
    ...['yes', 'none', 'none', 'yes'],
  ]);
});

test('an error of the exchange is a 503, with the error as its cause', async () => {
  override = () => {
    throw new Error('ECONNREFUSED');
  };
  const error = await open()
    .decide(ana, budget)
    .catch((error: unknown) => error);
  expect(error).toMatchObject({ status: 503, cause: { message: 'ECONNREFUSED' } });
});

test('a thousand calls that want to know the same cost one question', async () => {
  const verdicts = open({ maxRequests: 1 });
  rights.add('ana reads budget');
  for (let round = 0; round < 2; round++) {
    const release = hold();
    const all = Array.from({ length: 1000 }, () => is(verdicts, ana));
    release();
    expect(new Set(await Promise.all(all))).toEqual(new Set(['yes']));
    expect(asked()).toEqual(['ana reads budget']);
    now += 30_000;
  }
});

test('calls share a failure, too, and the next call asks again', async () => {
  const verdicts = open();
  override = broken;
  const all = await Promise.all(Array.from({ length: 1000 }, () => outcome(verdicts, ana)));
  expect(new Set(all)).toEqual(new Set([unchecked]));
  expect(asked()).toHaveLength(1);
  override = null;
  expect(await outcome(verdicts, ana)).toBe('no');
  expect(asked()).toHaveLength(1);
});

test('verdicts are neither shared between credentials, nor between resources or rights', async () => {
  const verdicts = open();
  rights.add('ana reads budget').add('ckan=ana reads other');
  const cookies = ofCookies('ckan=ana', hash);
  const all = [ana, token('ben'), token('Bearer ana'), cookies, anonymous];
  expect(await Promise.all(all.map((one) => is(verdicts, one)))).toEqual(['yes', 'no', 'no', 'no', 'no']);
  expect(await is(verdicts, ana, { ...budget, id: 'other' })).toBe('no');
  expect(await is(verdicts, cookies, { ...budget, id: 'other' })).toBe('yes');
  expect(await is(verdicts, ana, editing)).toBe('no');
  expect(asked()).toEqual([
    ...['ana reads budget', 'ben reads budget', 'Bearer ana reads budget', 'ckan=ana reads budget'],
    ...['nobody reads budget', 'ana reads other', 'ckan=ana reads other', 'ana writes budget'],
  ]);
});

test('unknown logins fill half of the questions at once, and one that had a yes passes', async () => {
  const verdicts = open({ maxRequests: 4 });
  accounts.set('ana', 'ana');
  rights.add('ana reads budget');
  expect(await outcome(verdicts, ana)).toBe('yes');
  now += 30_000;
  const release = hold();
  const strangers = Array.from({ length: 10 }, (_, nth) => outcome(verdicts, token(`x${nth}`)));
  expect(await Promise.all(strangers.slice(2))).toEqual(Array(8).fill(full));
  const [first, ...others] = Array.from({ length: 4 }, (_, nth) =>
    verdicts.decide(ana, { ...budget, id: nth === 0 ? 'budget' : `other${nth}` }),
  );
  // Two of hers are asked, then all four places are taken.
  const [second, ...refused] = await Promise.all([
    Promise.race([others[0], Promise.resolve('is being asked')]),
    ...others.slice(1).map((one) => one?.catch((error: Error) => error.message)),
  ]);
  expect([second, ...refused]).toEqual([
    ...['is being asked', 'too many logins are being checked, try again'],
    'too many logins are being checked, try again',
  ]);
  release();
  expect((await first)?.is).toBe('yes');
  expect((await others[0])?.is).toBe('no');
  expect(await Promise.all(strangers.slice(0, 2))).toEqual(['no', 'no']);
  // All places are free again.
  expect(await Promise.all(['y1', 'y2'].map((one) => outcome(verdicts, token(one))))).toEqual(['no', 'no']);
});

test('places are free again after questions that fail', async () => {
  const verdicts = open({ maxRequests: 2 });
  override = broken;
  for (let nth = 0; nth < 5; nth++) expect(await outcome(verdicts, token(`x${nth}`))).toBe(unchecked);
});

test('with maxRequests 1 a stranger can still log in', async () => {
  expect(await outcome(open({ maxRequests: 1 }), ana)).toBe('no');
});

test('random tokens remain unknown logins, although CKAN shows them what everybody may see', async () => {
  const verdicts = open({ maxRequests: 2 });
  rights.add('ana reads open').add('x reads open').add('y reads open').add('ana reads budget');
  accounts.set('ana', 'ana');
  const shownToAll = { ...budget, id: 'open' };
  for (const one of [ana, token('x'), token('y')]) expect(await is(verdicts, one, shownToAll)).toBe('yes');
  const release = hold();
  const strangers = [token('x'), token('y')].map((one) => outcome(verdicts, one));
  const known = outcome(verdicts, ana);
  release();
  expect(await Promise.all([...strangers, known])).toEqual(['no', full, 'yes']);
});

test('who may not read is not asked about writing', async () => {
  const verdicts = open();
  rights.add('ana writes budget');
  expect(await verdicts.decide(ana, editing)).toEqual({ ...editing, is: 'no', until: now + 5000, name: null });
  expect(asked()).toEqual(['ana reads budget']);
  now += 5000;
  rights.add('ana reads budget');
  expect(await is(verdicts, ana, editing)).toBe('yes');
  // A 404 to the write is only a yes if the resource is still there.
  expect(asked()).toEqual(['ana reads budget', 'ana writes budget', 'ana reads budget']);
});

test('a resource that is purged after a yes for reading cannot be written', async () => {
  const verdicts = open();
  rights.add('ana reads budget').add('ana writes budget');
  expect(await is(verdicts, ana)).toBe('yes');
  override = () => failed(404, 'Not Found Error');
  expect(await is(verdicts, ana, editing)).toBe('no');
});

test('a deleted resource cannot be written, although CKAN says that its table is missing', async () => {
  const verdicts = open();
  override = () => failed(404, 'Not Found Error');
  expect(await is(verdicts, ana, editing)).toBe('no');
  expect(asked()).toEqual(['ana reads budget']);
});

test('a right to write ends with the right to read', async () => {
  const verdicts = open();
  rights.add('ana reads budget').add('ana writes budget');
  expect(await is(verdicts, ana)).toBe('yes');
  now += 20_000;
  expect(await is(verdicts, ana, editing)).toBe('yes');
  rights.delete('ana reads budget');
  now += 10_000;
  expect(await is(verdicts, ana, editing)).toBe('no');
});

test('cookies and callers without a login cannot write, and nobody is asked', async () => {
  const verdicts = open();
  rights.add('ckan=1 reads budget').add('ckan=1 writes budget').add('nobody reads budget').add('nobody writes budget');
  for (const one of [ofCookies('ckan=1', hash), anonymous]) expect(await is(verdicts, one, editing)).toBe('no');
  expect(questions).toEqual([]);
});

test('a caller has the rights that were given, until the first of them ends', async () => {
  const verdicts = open();
  accounts.set('ana', 'ana');
  rights.add('ana reads budget').add('ana writes budget');
  const read = await verdicts.decide(ana, budget);
  now += 1000;
  const decided = [read, await verdicts.decide(ana, editing), await verdicts.decide(ana, { ...budget, id: 'other' })];
  expect(callerWith(decided)).toEqual({
    ...{ name: 'ckan/ana', read: new Set(['budget']), write: new Set(['budget']), where: new Map(), claims: {} },
    until: read.until,
  });
});

test('the account of a token is asked for with the first verdict, and again with a no', async () => {
  const verdicts = open();
  expect(verdicts.known(ana)).toBeNull();
  accounts.set('ana', 'ana');
  rights.add('ana reads budget').add('ana reads other');
  await verdicts.decide(ana, budget);
  await verdicts.decide(ana, { ...budget, id: 'other' });
  now += 30_000;
  await verdicts.decide(ana, budget);
  expect(questions).toEqual(['ana reads budget', 'ana?', 'ana reads other', 'ana reads budget']);
  expect(verdicts.known(ana)).toMatchObject({ name: 'ckan/ana', read: new Set(), write: new Set() });
  // The token is revoked.
  rights.clear();
  accounts.clear();
  now += 30_000;
  await verdicts.decide(ana, budget);
  expect(verdicts.known(ana)).toBeNull();
});

test('the account of a session is forgotten after keep, because another user may have logged in', async () => {
  const verdicts = open();
  const session = ofCookies('ckan=1', hash);
  accounts.set('ckan=1', 'ana');
  rights.add('ckan=1 reads budget');
  await verdicts.decide(session, budget);
  now += 29_999;
  expect(verdicts.known(session)).toMatchObject({ name: 'ckan/ana', until: now + 1 });
  now += 1;
  expect(verdicts.known(session)).toBeNull();
  accounts.set('ckan=1', 'somebody-else');
  await verdicts.decide(session, budget);
  expect(verdicts.known(session)?.name).toBe('ckan/somebody-else');
});

test('the account is asked for once by decisions at the same time, and all of them know it', async () => {
  const verdicts = open();
  accounts.set('ana', 'ana');
  const ids = ['budget', 'other', 'third'];
  for (const id of ids) rights.add(`ana reads ${id}`);
  const names = ids.map(async (id) => callerWith([await verdicts.decide(ana, { ...budget, id })])?.name);
  expect(await Promise.all(names)).toEqual(Array(3).fill('ckan/ana'));
  expect(questions.filter((question) => question.endsWith('?'))).toEqual(['ana?']);
});

test('a call that comes while the account is asked for waits for its name', async () => {
  const verdicts = open();
  accounts.set('ana', 'ana');
  rights.add('ana reads budget');
  const named = async () => callerWith([await verdicts.decide(ana, budget)])?.name;
  const first = named();
  while (!questions.includes('ana?')) await Promise.resolve();
  expect(await Promise.all([first, named()])).toEqual(['ckan/ana', 'ckan/ana']);
});

test.each([
  ['ana.b-c_d', 'ckan/ana.b-c_d'],
  ['../ana', 'ckan/..%2Fana'],
  ['a\n200 forged', 'ckan/a%0A200%20forged'],
])('the account %j is named %s', async (account, name) => {
  const verdicts = open();
  accounts.set('ana', account);
  await verdicts.decide(ana, budget);
  expect(verdicts.known(ana)?.name).toBe(name);
});

test('a login without an account has no name', async () => {
  const verdicts = open();
  rights.add('ana reads budget').add('nobody reads budget');
  const named = async (credential: Credential) => callerWith([await verdicts.decide(credential, budget)]);
  expect(await named(ana)).toMatchObject({ name: null, read: new Set(['budget']) });
  expect(await named(anonymous)).toMatchObject({ name: null, read: new Set(['budget']), until: now + 30_000 });
  expect(verdicts.known(ana)).toBeNull();
  expect(await named(token('ben'))).toBeNull();
  // Nobody asks for the account of nobody.
  expect(questions.filter((question) => question.endsWith('?'))).toEqual(['ana?', 'ben?']);
});

test('a failing question for the account spoils no verdict', async () => {
  const verdicts = open();
  rights.add('ana reads budget');
  override = (question) => {
    if (question.endsWith('?')) throw new Error('timeout');
    return shown({ id: 'budget' });
  };
  expect(await outcome(verdicts, ana)).toBe('yes');
});

test('a table of the upstream is warned of once for each resource', async () => {
  const verdicts = open();
  override = (question) => shown({ id: question.split(' ')[2] ?? '' });
  for (let round = 0; round < 2; round++) {
    for (const id of ['budget', 'other\n']) expect(await is(verdicts, ana, { id, right: 'write' })).toBe('yes');
    now += 30_000;
  }
  const warnings = events.flatMap((event) => (event.on === 'warned' ? [event.text] : []));
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toContain('the upstream has a table of its own for the resource budget');
  expect(warnings[1]).not.toContain('\n');
});

test('10,000 verdicts are kept', async () => {
  const verdicts = open();
  await is(verdicts, ana);
  for (let nth = 0; nth < 10_000; nth++) await is(verdicts, token(String(nth)));
  questions.length = 0;
  await is(verdicts, token('9999'));
  expect(asked()).toEqual([]);
  await is(verdicts, ana);
  expect(asked()).toEqual(['ana reads budget']);
});
