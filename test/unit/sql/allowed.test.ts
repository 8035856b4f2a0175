/** Whatever the parser might return, we read it or refuse it: no member is ignored, and no other exception is thrown. */
import { expect, test } from 'vitest';
import { SqlFault } from '../../../src/model/select.ts';
import { loadParser } from '../../../src/parse/postgres-parser.ts';
import { allowedMembers } from '../../../src/parse/tree/allowed.ts';
import { readTree } from '../../../src/parse/tree/read-select.ts';

const parse = await loadParser();
/** Together, these have every node and every member that we read. */
const texts = [
  `WITH w AS (SELECT DISTINCT a FROM t AS x) SELECT *, t.a AS b, 1, 1.5, 'x', true, null, CURRENT_DATE,
     CASE a WHEN 1 THEN 2 ELSE 3 END, coalesce(a, b), a::numeric(3, 2), (SELECT max(c) FROM u)
   FROM t LEFT JOIN (SELECT * FROM w) q ON t.a = q.a
   WHERE a IN (1, 2) AND b IS NULL AND c IS TRUE
   GROUP BY a HAVING count(*) FILTER (WHERE b) > 1 AND count(DISTINCT a) > 1 ORDER BY a DESC LIMIT 1 OFFSET 2;`,
];

interface Place {
  readonly kind: string;
  readonly members: Record<string, unknown>;
}
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
/** The nodes for which the parser does not write the kind. */
const unwritten: Readonly<Record<string, string>> = { alias: 'Alias', typeName: 'TypeName', withClause: 'WithClause' };

/** All nodes of a tree with their kinds. */
function nodesIn(tree: unknown): readonly Place[] {
  if (Array.isArray(tree)) return tree.flatMap(nodesIn);
  if (!isObject(tree)) return [];
  return Object.entries(tree).flatMap(([name, value]) => {
    const kind = unwritten[name] ?? (/^[A-Z]/.test(name) ? name : null);
    const own = kind !== null && isObject(value) ? [{ kind, members: value }] : [];
    return [...own, ...nodesIn(value)];
  });
}
const isFault = (tree: unknown): boolean => {
  try {
    readTree(tree);
    return false;
  } catch (error) {
    if (error instanceof SqlFault) return true;
    throw error;
  }
};

test('the texts have every node and member that we read', () => {
  const seen = new Set<string>();
  for (const text of texts) {
    expect(isFault(parse(text))).toBe(false);
    for (const { kind, members } of nodesIn(parse(text)))
      for (const member of Object.keys(members)) seen.add(`${kind}.${member}`);
  }
  const allowed = Object.entries(allowedMembers).flatMap(([kind, members]) =>
    kind === 'RawStmt' ? [] : members.map((member) => `${kind}.${member}`),
  );
  // The parser leaves out the position 0 of the first WITH.
  expect(allowed.filter((one) => !seen.has(one))).toEqual(['WithClause.location']);
});

test('an unknown member is refused in every node', () => {
  for (const text of texts) {
    const tree = parse(text);
    const nodes = nodesIn(tree);
    expect(nodes.length).toBeGreaterThan(100);
    for (const { kind, members } of nodes)
      for (const member of ['somethingNew', '__proto__', 'constructor']) {
        Object.defineProperty(members, member, { value: {}, enumerable: true, configurable: true });
        expect([kind, member, isFault(tree)]).toEqual([kind, member, true]);
        Reflect.deleteProperty(members, member);
      }
    expect(isFault(tree)).toBe(false);
  }
});

test('an unknown kind is refused in every node', () => {
  for (const text of texts)
    for (const kind of ['SomethingNew', '__proto__', 'constructor', 'toString'])
      for (let nth = 0; nth < nodesIn(parse(text)).length; nth++) {
        const renamed = rename(parse(text), kind, { left: nth });
        if (renamed.isDone) expect([kind, nth, isFault(renamed.tree)]).toEqual([kind, nth, true]);
      }
});

/** The tree with another kind for one of its nodes. */
function rename(tree: unknown, kind: string, counter: { left: number }): { tree: unknown; isDone: boolean } {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, inner]) => {
      const isNode = /^[A-Z]/.test(name) && isObject(inner);
      const isChosen = isNode && counter.left-- === 0;
      return [isChosen ? kind : name, walk(inner)] as const;
    });
    // A literal would set the prototype for `__proto__`.
    return Object.fromEntries(entries);
  };
  const renamed = walk(tree);
  return { tree: renamed, isDone: counter.left < 0 };
}

test('members of other types are refused, not thrown on', () => {
  const others = [null, 'x', -1, 1.5, true, {}, [], [null], { A_Const: null }, { A_Const: {} }, { List: {} }, [[]]];
  let refused = 0;
  for (const text of texts) {
    const tree = parse(text);
    for (const { members } of nodesIn(tree))
      for (const [name, value] of Object.entries(members))
        for (const other of others) {
          members[name] = other;
          if (isFault(tree)) refused++;
          members[name] = value;
        }
  }
  expect(refused).toBeGreaterThan(1000);
  for (const tree of [null, 1, {}, { stmts: null }, { stmts: [null] }, { stmts: [{}] }, { stmts: [{ stmt: {} }] }])
    expect(isFault(tree)).toBe(true);
});
