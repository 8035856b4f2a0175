/** Questions to a person at a terminal. */
import { cancel, multiselect, password, select } from '@clack/prompts';
import { Cancelled } from './refused.ts';

export interface Option<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** Each question throws `Cancelled` when the person ends it with Ctrl-C. */
export interface Ask {
  many(message: string, options: readonly Option<string>[], chosen: readonly string[]): Promise<readonly string[]>;
  one<T extends string>(message: string, options: readonly Option<T>[]): Promise<T>;
  /** Without echo. */
  secret(message: string): Promise<string>;
}

/** The library returns a symbol for Ctrl-C. */
const answered = <T>(value: T | symbol): T => {
  if (typeof value !== 'symbol') return value;
  cancel('Nothing was written.');
  throw new Cancelled('Nothing was written');
};

export function askAtTerminal(): Ask {
  // The result may go to a pipe: questions do not belong to it.
  const output = process.stderr;
  return {
    async many(message, options, chosen) {
      const asked = {
        message,
        options: [...options],
        initialValues: [...chosen],
        required: false,
        maxItems: 15,
        output,
      };
      return answered<readonly string[]>(await multiselect<string>(asked));
    },
    async one<T extends string>(message: string, options: readonly Option<T>[]) {
      const values = options.map(({ value }) => value);
      const chosen = answered(
        await select<string>({
          message,
          options: options.map((one) => ({ ...one, value: String(one.value) })),
          output,
        }),
      );
      const found = values.find((value) => value === chosen);
      if (found === undefined) {
        cancel('Nothing was written.');
        throw new Cancelled('Nothing was chosen');
      }
      return found;
    },
    secret: async (message) => answered<string>(await password({ message, output })),
  };
}
