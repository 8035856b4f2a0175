import { describe, expect, test } from 'vitest';
import type { Type } from '../../../src/model/table.ts';
import { privacyOf } from '../../../src/propose/private.ts';
import { wellKnown } from './well-known-names.ts';

const text: Type = { kind: 'text', length: null, padded: false, nul: false };
const int: Type = { kind: 'int', wire: 'int4', min: 0n, max: 10n };
const bool: Type = { kind: 'bool' };
const date: Type = { kind: 'date', infinite: false };
const verdictOn = (name: string, type: Type = text, isReference = false) =>
  privacyOf({ name, table: null, comment: '', type, isReference, isKey: false });

/** Column names in five languages, from applications that many legacy databases belong to. */
const secrets = `
  password, user_pass, pw_hash, PasswordHash, userpassword, Kennwort, mot_de_passe, contraseña, apiKey, API_KEY, remember_token, accessToken, pin,
  cvv2, salt, private_key, resetCode, passhash, userpwd, dbpass, ftppass, smtppass, pwdhash, PWDENC, pwdsaltedhash, psw, clientsecret, totpsecret,
  remember_digest, password_digest, secure_key, consumer_key, session_key, user_actkey, otep, confirmationkey, psk, recovery_codes,
  two_factor_recovery_codes, verification_code, security_question, seed_phrase, connection_string, jwt, Zugangscode, geheimfrage, tan, clave,
  usu_clave, cle_api, jeton, motpasse, parola_chiave, codice_segreto, gettone, respuesta_secreta, newpw, privatetoken, umh_token`;
const personal = `
  email, eMail, E_MAIL, contact_email, phone, telefon_privat, téléphone, iban, ip_address, adresse, address2, Geburtsdatum, birth_date, indirizzo,
  religion, salary, telnr, gebdat, card_no, dni, codice_fiscale, user_agent, krankenkasse, domicilio`;
const harmless = `
  title, passage, compass, hashtag, pinned, spinning, shipping, trip, description, mailing, grip, bypass_code, tokenizer, addressee, telemetry,
  birthplace_id, salty, commit_hash, file_hash, hash_rate, token_count, tokens_used, salt_content, pass_rate, ski_pass, pin_color, map_pin,
  primary_key, foreign_key, sort_key, monkey, turkey, keyboard, dewpw, secretary_id`;
const listed = (names: string) =>
  names
    .trim()
    .split(/\s*,\s*/)
    .map((name) => [name]);

test.each(listed(secrets))('%s says a secret', (name) => expect(verdictOn(name)).toBe('secret'));
test.each(listed(personal))('%s says personal data', (name) => expect(verdictOn(name)).toBe('personal'));
test.each(listed(harmless))('%s says nothing', (name) => expect(verdictOn(name)).toBeNull());

const kinds = { int, date } as const;
const isKind = (kind: string): kind is keyof typeof kinds => Object.hasOwn(kinds, kind);

describe.each(Object.entries(wellKnown))('%s', (_, names) => {
  test.each(names)('%s: %s', (written, verdict) => {
    const [table = '', name = '', kind = ''] = written.split(/[.:]/);
    const type = isKind(kind) ? kinds[kind] : text;
    const said = privacyOf({ name, table, comment: '', type, isReference: false, isKey: false });
    expect(said ?? 'public').toBe(verdict);
  });
});

test.each([
  ['cardtype_x', 'Credit card number.', 'personal'],
  ['c1', 'Geburtsdatum des Kunden', 'personal'],
  ['c2', 'Hashed password', 'secret'],
  ['c3', 'First name of the person.', 'personal'],
  ['c4', 'Téléphone portable', 'personal'],
  ['name', 'Name of the telephone number type', null],
  ['description', 'Address type description. For example, Billing, Home, or Shipping.', null],
  ['title', 'Name of the product, as it is shown in e-mail and on the street', null],
  ['codigo', 'Clave del producto', null],
  ['pass', 'Result', 'secret'],
] as const)('%s with the comment %j: %s', (name, comment, verdict) =>
  expect(privacyOf({ name, table: null, comment, type: text, isReference: false, isKey: false })).toBe(verdict),
);

test('a number that refers to something says nothing, and neither does a truth value', () => {
  expect(verdictOn('address_id', int)).toBeNull();
  expect(verdictOn('token_id', int)).toBeNull();
  expect(verdictOn('address', int, true)).toBeNull();
  expect(verdictOn('password_reset', bool)).toBeNull();
});

test('a number may be a secret or personal all the same', () => {
  expect(verdictOn('pin', int)).toBe('secret');
  expect(verdictOn('phone', int)).toBe('personal');
  expect(verdictOn('salary', int)).toBe('personal');
  expect(verdictOn('email', int)).toBeNull();
});

test('of the times only those of birth are personal', () => {
  expect(verdictOn('date_of_birth', date)).toBe('personal');
  expect(verdictOn('email_verified', date)).toBeNull();
  // The date of a secret is hidden too, because the name alone does not prove that it is only a date.
  expect(verdictOn('password_changed', date)).toBe('secret');
});

test('a text that refers is judged as any other', () => {
  expect(verdictOn('email', text, true)).toBe('personal');
  expect(verdictOn('token', text, true)).toBe('secret');
});
