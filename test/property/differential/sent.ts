/** A JSON number with its digits: JavaScript would change `2.50`, `1e2` and `9007199254740993`. */
export interface Digits {
  readonly digits: string;
}
/** A JSON object whose members keep their order, whatever their names. */
export interface Members {
  readonly members: readonly (readonly [name: string, value: Sent])[];
}
/** JSON exactly as a client sends it. */
export type Sent = null | boolean | string | Digits | readonly Sent[] | Members;

export const number = (digits: string): Digits => ({ digits });
export const object = (...members: Members['members']): Members => ({ members });

export const isDigits = (sent: Sent): sent is Digits => sent !== null && typeof sent === 'object' && 'digits' in sent;
export const isMembers = (sent: Sent): sent is Members =>
  sent !== null && typeof sent === 'object' && 'members' in sent;
export const isList = (sent: Sent): sent is readonly Sent[] => Array.isArray(sent);

/** The JSON text. */
export function write(sent: Sent): string {
  if (isList(sent)) return `[${sent.map(write).join(',')}]`;
  if (isMembers(sent)) return `{${sent.members.map(([name, value]) => `${write(name)}:${write(value)}`).join(',')}}`;
  return isDigits(sent) ? sent.digits : JSON.stringify(sent);
}
