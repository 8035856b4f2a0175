/** Pure. Judges columns by a sample of their values. */
import type { CatalogTable, Sample } from '../model/catalog.ts';
import { isDeclaredBoolean } from '../model/table.ts';
import { privacyIn } from './privacy-in.ts';
import { nameSays, type Privacy } from './private.ts';

/** What a sample of a table's rows has revealed: only conclusions and counts, none of the values. */
export interface Evidence {
  /** The number of sampled rows; null if the sample could not be read. */
  readonly rows: number | null;
  /** Columns whose values are secrets or personal data. */
  readonly privacy: ReadonlyMap<string, Privacy>;
  /** For each `tinyint(1)`, how many of its values are 0 or 1, and how many are not. */
  readonly flags: ReadonlyMap<string, FlagCounts>;
}

export interface FlagCounts {
  readonly flags: number;
  readonly others: number;
}

/** Judges a table's columns by sampled rows. @param sample null if it could not be read */
export function evidenceIn(table: CatalogTable, sample: Sample | null): Evidence {
  const privacy = new Map<string, Privacy>();
  const flags = new Map<string, FlagCounts>();
  const valuesOf = new Map(table.columns.map(({ name }) => [name, valuesIn(sample, name)]));
  for (const column of table.columns) {
    const values = valuesOf.get(column.name) ?? [];
    const others = values.filter((value) => value !== '0' && value !== '1').length;
    if (isDeclaredBoolean(column.type)) flags.set(column.name, { flags: values.length - others, others });
    const verdict = looksLike(values);
    if (verdict !== null) privacy.set(column.name, verdict);
  }
  const texts = table.columns.filter(({ type }) => type.kind === 'text').map(({ name }) => name);
  // A settings table may have `smtp_password` in a column of names, and the password itself in a column of values.
  const keys = new Set(texts.flatMap((name) => valuesOf.get(name) ?? []).filter((value) => isName.test(value)));
  if ([...keys].some((key) => nameSays(key) === 'secret'))
    for (const name of texts) if (holdsValue.test(name)) privacy.set(name, 'secret');
  const isOfPeople = table.columns.some((one) => (privacy.get(one.name) ?? privacyIn(table, one)) === 'personal');
  for (const [name, values] of valuesOf)
    if (isOfPeople && !privacy.has(name) && areBirths(values)) privacy.set(name, 'personal');
  return { rows: sample?.rows.length ?? null, privacy, flags };
}

function valuesIn(sample: Sample | null, column: string): readonly string[] {
  const at = sample?.columns.indexOf(column) ?? -1;
  return (sample?.rows ?? []).flatMap((row) => row[at]?.trim() || []);
}

const isName = /^[\p{L}_][\p{L}\p{N}_.:-]{2,63}$/u;
const holdsValue = /(?:value|val|wert|valeur|valor|valore|waarde)$/i;

/** Matches tokens, password hashes, keys, and passwords within settings or URLs. One such value makes a column secret. */
const secret = new RegExp(
  [
    /\beyJ[\w-]{10,}/,
    /(?:^|[\s;,&?"'{])(?:\w{0,20}(?:password|passwd|pwd|secret|api_?key|access_?token))["']?\s*(?:=|:(?=\s*["']))\s*["']?[^\s"';,&]/,
    /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s:@/]{1,40}:[^\s@/]{1,60}@/,
    /-----BEGIN [A-Z ]{0,20}PRIVATE KEY/,
    /^\$(?:2[abxy]|argon2\w{1,2}|[156]|P|H|S|scrypt|y)\$/,
    /^(?:pbkdf2|bcrypt|scrypt|argon2)[\w]*\$|^\{(?:S?SHA|S?MD5|CRYPT)\d*\}/,
    /\b(?:AKIA[A-Z\d]{16}|gh[pousr]_\w{20,}|sk_live_\w{10,}|xox[abp]-[\w-]{10,})/,
  ]
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'i',
);
const email = /^(?:mailto:|[^<>@]{0,60}<)?[^\s@<>]{1,64}@[^\s@<>]+\.\p{L}{2,24}>?$/iu;
/** Matches local and international phone numbers. Dates have fewer digits, and article numbers do not begin like this. */
const phone =
  /^(?:(?:\+|00)[1-9]|\(\+?\d{1,5}\)|0[1-9]\d{0,5}[ /.-]|0[1-9]\d{0,4}\/|[2-9]\d{2}[ .-]\d{3}[ .-])[\d ()/.-]*(?: ?(?:x|ext\.?) ?\d{1,6})?$/i;
const socialSecurity = /^\d{3}-\d{2}-\d{4}$/;

/** Judges a column by the share of its values that match a pattern: a fifth is enough for a pattern that rarely matches by chance. */
function looksLike(values: readonly string[]): Privacy | null {
  const share = (is: (value: string) => boolean) => values.filter(is).length / values.length;
  if (values.some((value) => secret.test(value))) return 'secret';
  const isPersonal =
    share((value) => email.test(value)) >= 0.2 ||
    share(isIban) >= 0.2 ||
    share(isPhone) >= 0.5 ||
    share((value) => socialSecurity.test(value)) >= 0.5 ||
    share(isCard) >= 0.8;
  return isPersonal ? 'personal' : null;
}

function isPhone(value: string): boolean {
  const digits = value.replace(/\D/g, '').length;
  return digits >= 9 && digits <= 21 && phone.test(value);
}

/** Checks an IBAN (ISO 13616): with its first four characters moved to the end and letters replaced by 10 to 35, the number modulo 97 is 1. */
function isIban(value: string): boolean {
  const plain = value.replace(/[ -]/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(plain)) return false;
  const digits = `${plain.slice(4)}${plain.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return BigInt(digits) % 97n === 1n;
}

/** Checks a payment card number: its beginning and length fit an issuer, and its check digit (Luhn) is right. */
function isCard(value: string): boolean {
  const digits = value.replace(/[ -]/g, '');
  if (!/^(?:[2-6]\d{15}|3[0-9]\d{12,13}|4\d{12}|4\d{18}|6\d{15,18})$/.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, nth) => {
    const times = Number(digit) * (nth % 2 === 0 ? 1 : 2);
    return total + (times > 9 ? times - 9 : times);
  }, 0);
  return sum % 10 === 0;
}

/** Later dates are unlikely to be birth dates: few people in a database are younger. */
const latestBirthYear = 2012;

/** Whether the values are birth dates of people of different ages. Only checked in tables that have other personal data. */
function areBirths(values: readonly string[]): boolean {
  const years = values.map((value) => Number(/^(\d{4})-\d\d-\d\d(?:[ T]00:00:00(?:\.0+)?)?$/.exec(value)?.[1] ?? NaN));
  const born = years.filter((year) => year >= 1900 && year <= latestBirthYear);
  const span = Math.max(...born) - Math.min(...born);
  return born.length >= 5 && born.length >= 0.9 * values.length && span >= 20;
}
