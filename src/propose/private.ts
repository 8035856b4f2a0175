/** Pure. Columns whose names say a secret, or personal data: in English, German, French, Spanish and Italian. */
import type { Type } from '../model/table.ts';
import { hasWords, listed, wordsOf } from './words.ts';

export type Privacy = 'secret' | 'personal';

export interface NamedColumn {
  readonly name: string;
  readonly type: Type;
  /** In the primary key, a unique key or a foreign key: it refers to something, and is not the thing itself. */
  readonly isReference: boolean;
}

const secretWords = listed(`
  password, passwd, passwort, kennwort, passphrase, passcode, pwd, pw, pass, mdp, mot de passe, contrasena, pin, cvv, cvc, otp, totp,
  salt, hash, secret, secrets, token, tokens, credential, credentials, authentication string, session id, api key, private key,
  secret key, access key, auth key, signing key, encryption key, license key, ssh key, recovery code, activation code,
  activation key, reset code, reset key, security code, security answer`);
/** Within a word without separators: `userpassword`, `AccessTokenHash`. */
const secretPart =
  /passw(?:or[dt]|d)|kennwort|passphrase|contrasena|motdepasse|apikey|privatekey|secretkey|accesskey|authkey|accesstoken|authtoken|refreshtoken/;

const contactWords = listed(`
  email, emails, e mail, mail, courriel, correo, address, adresse, anschrift, direccion, indirizzo, street, strasse, rue, calle, ip,
  ipaddress, ipaddr, religion, konfession, ethnicity, diagnosis, diagnose`);
/** Personal as numbers, too. */
const numberWords = listed(`
  phone, telephone, telefon, tel, telefono, fax, mobile, mobil, handy, portable, movil, cellulare, iban, ssn, social security, passport,
  steuernummer, tax id, national id, kontonummer, account number, credit card, card number, kreditkarte, salary, gehalt, lohn, salaire,
  salario, stipendio, wage, income`);
const birthWords = listed(`
  birth, birthday, birthdate, dob, geburtsdatum, geburtstag, geburt, naissance, nacimiento, nascita`);
const personalPart = /emailaddress|phonenumber|telefonnummer|geburtsdatum|dateofbirth/;

/**
 * What the name of a column says about it. A number that refers to another record, such as `address_id` or `token_id`, says
 * nothing.
 */
export function privacyOf({ name, type, isReference }: NamedColumn): Privacy | null {
  const words = wordsOf(name);
  const joined = words.join('');
  const has = (any: readonly string[]) => any.some((wanted) => hasWords(words, wanted));
  const isNumber = type.kind === 'int' || type.kind === 'decimal' || type.kind === 'float';
  if (type.kind === 'bool' || (isNumber && (isReference || words.at(-1) === 'id'))) return null;
  if (has(secretWords) || secretPart.test(joined)) return 'secret';
  if (isReference) return null;
  const isTime = type.kind === 'date' || type.kind === 'time' || type.kind === 'timestamp';
  if (has(birthWords)) return 'personal';
  if (isTime) return null;
  if (has(numberWords)) return 'personal';
  return !isNumber && (has(contactWords) || personalPart.test(joined)) ? 'personal' : null;
}
