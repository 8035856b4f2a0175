/** Typed access to PostgreSQL's parse tree, which is JSON. Pure. */
import { SqlFault } from '../../model/select.ts';
import { type Kind, mustBeAllowed } from './allowed.ts';

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member has a type that the parser never gives it. Perhaps our code was written for another version of the parser. */
const unexpected = (at: number): SqlFault => new SqlFault('this syntax is not supported', at);

/** How deep we search for a position. A higher limit would make nested JOINs take quadratic time. */
const maxSearched = 8;

/** A node's position; null if the parser does not report one. */
function positionIn(kind: string, members: ReadonlyMap<string, unknown>): number | null {
  const location = members.get('location') ?? members.get('stmt_location');
  if (typeof location === 'number') return location >= 0 ? location : null;
  // Parts of FROM have no position, so a refusal would point to the SELECT. Search inside them instead: in a JOIN, first the right table.
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
 * A node whose members have all passed `mustBeAllowed`. Every method throws an `SqlFault` if a member has another type. The parser leaves
 * out members that are 0, false or empty.
 */
export class TreeNode {
  readonly kind: Kind;
  /** Where the node begins, in bytes. A node without a position has that of the node around it. */
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

  /** Reads `{"A_Star": {}}`: an object whose only member is named like the kind of node. */
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

  /** Whether the parser has added this node: `TABLE t`, for example, has an output that is nowhere in the text. */
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

  /** A member that is a node; null if it is absent. */
  optional(member: string): TreeNode | null {
    return this.has(member) ? TreeNode.of(this.#members.get(member), this.at) : null;
  }

  node(member: string): TreeNode {
    return TreeNode.of(this.#members.get(member), this.at);
  }

  /** A member for which the parser does not write the kind of node, such as an alias. */
  part(member: string, kind: Kind): TreeNode {
    return new TreeNode(kind, this.#members.get(member), this.at);
  }

  /** A member that is a list of nodes; empty if it is absent. */
  list(member: string): readonly TreeNode[] {
    const value = this.#members.get(member) ?? [];
    if (!Array.isArray(value)) throw unexpected(this.at);
    return value.map((one: unknown) => TreeNode.of(one, this.at));
  }

  /** A member that is a list of `String` nodes, as texts: the parts of a name. */
  names(member: string): readonly string[] {
    return this.list(member).map((one) => one.as('String').text('sval'));
  }

  /** The value of a constant, which is wrapped in an object: `{"ival": {"ival": 5}}`. */
  constant(member: 'ival' | 'fval' | 'sval' | 'boolval'): unknown {
    const value = this.#members.get(member);
    return isObject(value) ? new Map<string, unknown>(Object.entries(value)).get(member) : undefined;
  }

  /** Returns the node itself if it has this kind, else throws. */
  as(kind: Kind): TreeNode {
    if (this.kind !== kind) throw unexpected(this.at);
    return this;
  }
}
