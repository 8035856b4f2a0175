import { expect, test } from 'vitest';
import { History } from './history.ts';

const record = 'item/1';
let now = 0;
const opened = (maxStaleness = 0) => new History({ maxStaleness, now: () => ++now });
const wrote = (history: History, state: number | null) => history.write(new Map([[record, state]]));
const sees = (history: History, is: number | null) => history.read()([{ record, is }]);

test('a lost write that was shown is there for good', () => {
  const history = opened();
  wrote(history, 402).done();
  wrote(history, null).lost();
  expect(sees(history, 402)).toBeNull();
  expect(sees(history, null)).toBeNull();
  expect(sees(history, 402)).toMatch('item/1 is shown as 402, after it was null (lost)');
});

test('a read of a later write with the same state, still open, says nothing about the lost one', () => {
  const history = opened();
  wrote(history, 402).done();
  wrote(history, null).lost();
  const again = wrote(history, null);
  expect(sees(history, null)).toBeNull();
  expect(sees(history, 402)).toBeNull();
  again.done();
  expect(sees(history, 402)).toMatch('item/1 is shown as 402, after it was null (done)');
});

test('a lost write that was shown may be missing for maxStaleness elsewhere', () => {
  const history = opened(200);
  wrote(history, 402).done();
  wrote(history, null).lost();
  expect(sees(history, null)).toBeNull();
  now += 150;
  expect(sees(history, 402)).toBeNull();
  now += 50;
  expect(sees(history, 402)).toMatch('item/1 is shown as 402, after it was null (lost)');
});

test('a write that is answered as done is there at once', () => {
  const history = opened(200);
  wrote(history, 402).done();
  expect(sees(history, null)).toMatch('item/1 is shown as null, after it was 402 (done)');
});
