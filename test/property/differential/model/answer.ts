import { type Sent, write } from '../sent.ts';

/** What the model expects as the answer. */
export type Expected =
  /** A success with exactly this body. */
  | {
      readonly status: 200;
      readonly before: string;
      readonly records: readonly string[];
      readonly after: string;
      readonly order: Order;
    }
  /** A refusal: the parameters with complaints (and their text where the docs specify it), and the index of the record. */
  | { readonly status: 409; readonly complaints: Complaints; readonly row?: number };

export type Complaints = Readonly<Record<string, string | null>>;

/** `total`: the order of records is guaranteed. `free`: it is not, but all records are there. `cut`: it is not, and the answer is only a part of them. */
export type Order = 'total' | 'free' | 'cut';

const help = (action: string) => `"help":"http://gateway.test/api/3/action/help_show?name=${action}"`;

/** Builds the body around `result`, which is given as pairs of name and JSON; the marker stands for the records. */
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

/** Placeholder for the records in `result`. */
export const marker = '\0records\0';

/** Thrown by the model to refuse a call. */
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

/** Reads several parameters and collects the complaints of all of them. */
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

/** The parameters of a call: JSON values by name. */
export type Params = Readonly<Record<string, Sent>>;
