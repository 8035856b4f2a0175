/** The code of a system error, such as `ENOENT`; without a code, the error as text. */
export const codeOf = (error: unknown): string =>
  String((error instanceof Error && Reflect.get(error, 'code')) || error);
