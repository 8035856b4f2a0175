/** Prompts for the operator at a terminal. */
import { cancel, multiselect, password, select } from '@clack/prompts';
import { Cancelled } from './refused.ts';

export interface Option<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** The kinds of prompts. Each throws `Cancelled` on Ctrl-C. */
export interface Ask {
  many(message: string, options: readonly Option<string>[], chosen: readonly string[]): Promise<readonly string[]>;
  one<T extends string>(message: string, options: readonly Option<T>[]): Promise<T>;
  /** Asks for a text that is not echoed. */
  secret(message: string): Promise<string>;
}

/** Returns the operator's answer. Throws `Cancelled` on Ctrl-C, for which the library returns a symbol. */
const orCancelled = <T>(value: T | symbol): T => {
  if (typeof value !== 'symbol') return value;
  cancel('Nothing was written.');
  throw new Cancelled('Nothing was written');
};

export function askAtTerminal(): Ask {
  // Prompts go to standard error, because standard output may be redirected.
  const output = process.stderr;
  return {
    async many(message, options, chosen) {
      const question = {
        message,
        options: [...options],
        initialValues: [...chosen],
        required: false,
        maxItems: 15,
        output,
      };
      return orCancelled<readonly string[]>(await multiselect<string>(question));
    },
    async one<T extends string>(message: string, options: readonly Option<T>[]) {
      const values = options.map(({ value }) => value);
      const chosen = orCancelled(
        await select<string>({
          message,
          options: options.map((one) => ({ ...one, value: String(one.value) })),
          output,
        }),
      );
      const match = values.find((value) => value === chosen);
      if (match === undefined) {
        cancel('Nothing was written.');
        throw new Cancelled('Nothing was chosen');
      }
      return match;
    },
    secret: async (message) => orCancelled<string>(await password({ message, output })),
  };
}
