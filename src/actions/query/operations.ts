/** CKAN's grammar of `filters` (docs/ckan-compatibility.md, Filters): JSON → operations on named fields, without a table. */
import { invalid } from '../../model/errors.ts';
import type { Json, JsonObject } from '../../model/value.ts';
import { isList, isObject } from '../../values/json.ts';
import { pythonRepr } from '../../values/python-repr.ts';
import { show } from '../../values/show.ts';
import { truncate } from '../../values/truncate.ts';

/** CKAN's operators, followed by our own. */
export const operators = ['eq', 'in', 'gt', 'gte', 'lt', 'lte', 'ne', 'nin', 'like', 'ilike', 'null'] as const;

/** One operation on one field; the value has the shape that the operator needs. */
export type Operation = { readonly field: string } & (
  | { readonly op: 'eq' | 'ne'; readonly value: Json }
  | { readonly op: 'in' | 'nin'; readonly value: readonly Json[] }
  | { readonly op: 'gt' | 'gte' | 'lt' | 'lte'; readonly value: Exclude<Json, null> }
  | { readonly op: 'like' | 'ilike'; readonly value: string }
  | { readonly op: 'null'; readonly value: boolean }
);
export type Filter = { readonly op: 'all' | 'any'; readonly of: readonly Filter[] } | Operation;

/** CKAN's limits: at most 100 operations per call (and per object or list), and 10 nested levels of `$and` and `$or`. */
const maxOperations = 100;
const maxLevels = 10;

/** Reads filters; a list means "any of these". Throws a 409 with every violation of the grammar. */
export function operations(filters: JsonObject | readonly Json[]): Filter {
  const grammar = new Grammar();
  const filter = isList(filters) ? grammar.list('any', filters, 1) : grammar.object(filters, 0);
  grammar.check();
  return filter;
}

class Grammar {
  readonly #complaints: string[] = [];
  #count = 0;

  /** Reads an object, of which all members must match. */
  object(members: JsonObject, level: number): Filter {
    const entries = Object.entries(members);
    if (entries.length >= maxOperations) throw tooMany();
    const of = entries.map(([name, value]) =>
      /^\$(?!\$)/.test(name) ? this.#logic(name, value, level + 1) : this.#field(name.replace(/^\$\$/, '$'), value),
    );
    return this.#joined('all', of);
  }

  list(op: 'all' | 'any', objects: readonly Json[], level: number): Filter {
    if (level >= maxLevels) throw invalid({ filters: ['Maximum nesting depth for filter operations reached'] });
    if (objects.length >= maxOperations) throw tooMany();
    return this.#counted({ op, of: objects.map((each) => (isObject(each) ? this.object(each, level) : nothing)) });
  }

  check(): void {
    if (this.#complaints.length > 0) throw invalid({ filters: [...new Set(this.#complaints)] });
  }

  #logic(name: string, value: Json, level: number): Filter {
    if (name !== '$or' && name !== '$and')
      return this.#complain(
        `Unknown operators (must be one of $or, $and): ${show(name)}; a field of this name is written "$${truncate(name)}"`,
      );
    if (!isList(value) || !value.every(isObject)) {
      const got = typeof value === 'string' ? show(value) : pythonRepr(value);
      return this.#complain(`Filter operations must be defined as a list of dicts: ${got}`);
    }
    // An empty `$or` would match no record, which is surely a mistake. An empty `$and` matches every record, and is allowed.
    if (value.length === 0 && name === '$or') return this.#complain('invalid value "$or"');
    return this.list(name === '$or' ? 'any' : 'all', value, level);
  }

  #field(field: string, value: Json): Filter {
    if (isObject(value)) return this.#operators(field, value);
    if (!isList(value)) return this.#counted({ op: 'eq', field, value });
    const groups = value.filter(isObject).map((group) => this.#operators(field, group));
    const plain = value.filter((item) => !isObject(item));
    if (groups.length > 0 && plain.length === 0) return this.#joined('any', groups);
    return this.#joined('any', [this.#counted({ op: 'in', field, value: plain }), ...groups]);
  }

  /** Reads an object of operators such as `{"gte": 1, "lt": 5}`, all of which must match. */
  #operators(field: string, members: JsonObject): Filter {
    const entries = Object.entries(members);
    if (entries.length === 0)
      return this.#complain(`field "${field}" must have at least one of ${operators.join(', ')}, got: {}`);
    if (entries.length >= maxOperations) throw tooMany();
    const of = entries.map(([name, value]) => this.#counted(this.#operation(field, name, value)));
    return this.#joined('all', of);
  }

  #operation(field: string, name: string, value: Json): Filter {
    const must = (be: string) => this.#complain(`"${name}" of field "${field}" must be ${be}, got: ${show(value)}`);
    const op = operators.find((operator) => operator === name);
    switch (op) {
      case 'eq':
      case 'ne':
        return { op, field, value };
      case 'in':
      case 'nin':
        return isList(value) ? { op, field, value } : must('a list of values');
      case 'like':
      case 'ilike':
        return typeof value === 'string' ? { op, field, value } : must('a text');
      case 'null':
        return typeof value === 'boolean' ? { op, field, value } : must('true or false');
      case undefined: {
        const operationText = `field=${pythonRepr(field)}, op=${pythonRepr(name)}, value=${pythonRepr(value)}`;
        return this.#complain(
          `Unknown filter operation: FilterOp(${operationText}), must be one of ${operators.join(', ')}`,
        );
      }
      default:
        return value === null ? must('a value') : { op, field, value };
    }
  }

  /** Joins filters by "all" or "any", which counts as an operation of its own, as in CKAN. */
  #joined(op: 'all' | 'any', of: readonly Filter[]): Filter {
    const [first] = of;
    return first !== undefined && of.length === 1 ? first : of.length === 0 ? nothing : this.#counted({ op, of });
  }

  #counted(filter: Filter): Filter {
    if (++this.#count > maxOperations) throw tooMany();
    return filter;
  }

  #complain(text: string): Filter {
    this.#complaints.push(text);
    // A complaint counts towards the limit of operations, too: ten megabytes of `{}` made 300 MB of complaints and blocked everyone.
    return this.#counted(nothing);
  }
}

const nothing: Filter = { op: 'all', of: [] };
const tooMany = () => invalid({ filters: ['Maximum number of filter operations exceeded'] });
