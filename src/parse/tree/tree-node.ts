/** Typed access to the tree of PostgreSQL's parser, which is JSON. Pure. */
import { SqlFault } from '../../model/select.ts';
import { type Kind, mustBeAllowed } from './allowed.ts';

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member has a type that the parser never gives it. We may have been built for another version of the parser. */
const unexpected = (at: number): SqlFault => new SqlFault('this syntax is not supported', at);

/** How deep we look for a position. With more, reading nested JOINs would take quadratic time. */
const maxSearched = 8;

/** The position of a node. Null if the parser does not give it. */
function positionIn(kind: string, members: ReadonlyMap<string, unknown>): number | null {
  const location = members.get('location') ?? members.get('stmt_location');
  if (typeof location === 'number') return location >= 0 ? location : null;
  // Without a position, the parts of FROM would all be refused at the SELECT. Of a JOIN, the table behind it is closest.
  const isInFrom = kind.startsWith('Range') || kind === 'JoinExpr';
  return isInFrom ? firstLocation([members.get('rarg'), ...members.values()], maxSearched) : null;
}

function firstLocation(values: Iterable<unknown>, levels: number): number | null {
  if (levels === 0) return null;
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue;
    const own: unknown = Reflect.get(value, 'location');
    if (typeof own === 'number' && own >= 0) return own;
    const inner = firstLocation(Object.values(value), levels - 1);
    if (inner !== null) return inner;
  }
  return null;
}

/**
 * A node whose members have all passed `mustBeAllowed`. Every method throws an `SqlFault` for a member of another type. The parser
 * leaves out members that are 0, false or empty.
 */
export class TreeNode {
  readonly kind: Kind;
  /** Where the node begins, in bytes. Nodes without a position have that of the node around them. */
  readonly at: number;
  /** A map, because an object would inherit a member `constructor`. */
  readonly #members: ReadonlyMap<string, unknown>;

  /** @throws SqlFault for a member that we do not read */
  constructor(kind: string, members: unknown, around: number) {
    if (!isObject(members)) throw unexpected(around);
    this.#members = new Map(Object.entries(members));
    this.at = positionIn(kind, this.#members) ?? around;
    this.kind = mustBeAllowed(kind, this.#members.keys(), this.at);
  }

  /** Reads `{"A_Star": {}}`: an object with the kind as its only member. */
  static of(value: unknown, around: number): TreeNode {
    if (!isObject(value)) throw unexpected(around);
    const [first, ...others] = Object.entries(value);
    if (first === undefined) return new TreeNode('Empty', {}, around);
    if (others.length > 0) throw unexpected(around);
    return new TreeNode(first[0], first[1], around);
  }

  has(member: string): boolean {
    return this.#members.has(member);
  }

  /** Whether the parser made the node up: `TABLE t` has an output that is nowhere in the text. */
  isMadeUp(): boolean {
    return this.#members.get('location') === -1;
  }

  text(member: string): string {
    const value = this.#members.get(member) ?? '';
    if (typeof value !== 'string') throw unexpected(this.at);
    return value;
  }

  flag(member: string): boolean {
    const value = this.#members.get(member) ?? false;
    if (typeof value !== 'boolean') throw unexpected(this.at);
    return value;
  }

  integer(member: string): number {
    const value = this.#members.get(member) ?? 0;
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unexpected(this.at);
    return value;
  }

  /** The node that the member is, or null if it is absent. */
  optional(member: string): TreeNode | null {
    return this.has(member) ? TreeNode.of(this.#members.get(member), this.at) : null;
  }

  node(member: string): TreeNode {
    return TreeNode.of(this.#members.get(member), this.at);
  }

  /** A member of which the parser does not write the kind, such as an alias. */
  part(member: string, kind: Kind): TreeNode {
    return new TreeNode(kind, this.#members.get(member), this.at);
  }

  /** The nodes of a list; none if it is absent. */
  list(member: string): readonly TreeNode[] {
    const value = this.#members.get(member) ?? [];
    if (!Array.isArray(value)) throw unexpected(this.at);
    return value.map((one: unknown) => TreeNode.of(one, this.at));
  }

  /** The texts of a list of `String` nodes: the parts of a name. */
  names(member: string): readonly string[] {
    return this.list(member).map((one) => one.as('String').text('sval'));
  }

  /** The value of a constant that is an object of one member: `{"ival": {"ival": 5}}`. */
  constant(member: 'ival' | 'fval' | 'sval' | 'boolval'): unknown {
    const value = this.#members.get(member);
    return isObject(value) ? new Map<string, unknown>(Object.entries(value)).get(member) : undefined;
  }

  /** The node itself, if it has this kind. */
  as(kind: Kind): TreeNode {
    if (this.kind !== kind) throw unexpected(this.at);
    return this;
  }
}
