import { expect, test } from 'vitest';
import { kinds, Refusal, type RefusalKind } from '../../../src/model/errors.ts';

test('says when to try again only where nothing was done', () => {
  const all = Object.keys(kinds).filter((kind): kind is RefusalKind => kind in kinds);
  const retried = all.filter((kind) => new Refusal(kind, { message: '' }).retryAfter !== null);
  expect(retried).toEqual(['busy', 'unavailable']);
});
