/** The code of an error of the system, such as `ENOENT`; where it has none, the error as text. */
export const codeOf = (error: unknown): string =>
  String((error instanceof Error && Reflect.get(error, 'code')) || error);
