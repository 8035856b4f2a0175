import { type Sent, write } from '../sent.ts';

/** The model's verdict on an answer. */
export type Expected =
  /** These bytes. */
  | {
      readonly status: 200;
      readonly before: string;
      readonly records: readonly string[];
      readonly after: string;
      readonly order: Order;
    }
  /** A refusal: the parameters that complain, with the words where design.md or the contract fixes them, and the record. */
  | { readonly status: 409; readonly complaints: Complaints; readonly row?: number };

export type Complaints = Readonly<Record<string, string | null>>;

/**
 * `total`: design.md promises the order of the records. `free`: it does not, and all of them are there. `cut`: it does not,
 * and some of them are there.
 */
export type Order = 'total' | 'free' | 'cut';

const help = (action: string) => `"help":"http://gateway.test/api/3/action/help_show?name=${action}"`;

/** The body around `result`, given as name and JSON text; `records`, when there, is where the records stand. */
export function succeeds(
  action: string,
  result: readonly (readonly [name: string, json: string])[],
  records: readonly string[] = [],
  order: Order = 'total',
): Expected {
  const members = result.map(([name, json]) => `${write(name)}:${json}`).join(',');
  const [before = '', after = ''] = `{${help(action)},"success":true,"result":{${members}}}`.split(marker);
  return { status: 200, before, records, after, order };
}

/** Stands for the records in `result`. */
export const marker = '\0records\0';

/** Thrown inside the model to end a call. */
export class Refused extends Error {
  readonly complaints: Complaints;
  readonly row: number | undefined;
  constructor(complaints: Complaints, row?: number) {
    super('refused');
    this.complaints = complaints;
    this.row = row;
  }
  get answer(): Expected {
    return { status: 409, complaints: this.complaints, ...(this.row === undefined ? {} : { row: this.row }) };
  }
}

/** Reads several parameters and complains about all of them at once. */
export function together<T>(readers: { readonly [K in keyof T]: () => T[K] }): T;
export function together(readers: Readonly<Record<string, () => unknown>>): unknown {
  const complaints: Record<string, string | null> = {};
  const read = Object.entries(readers).map(([name, reader]) => {
    try {
      return [name, reader()];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      Object.assign(complaints, error.complaints);
      return [name, undefined];
    }
  });
  if (Object.keys(complaints).length > 0) throw new Refused(complaints);
  return Object.fromEntries(read);
}

/** The parameters of a call: JSON members by name. */
export type Params = Readonly<Record<string, Sent>>;
