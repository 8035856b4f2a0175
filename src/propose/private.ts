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
  password, passwd, passwort, kennwort, passphrase, passcode, pwd, pw, pass, psw, pswd, passw, pword, mdp, mot de passe, mot passe, contrasena,
  clave, parola chiave, parola segreta, losungswort, pin, tan, cvv, cvc, otp, otep, totp, salt, hash, digest, hmac, psk, ha 1, bcrypt, ntlm, secret,
  secrets, geheimnis, secreto, segreto, token, tokens, jeton, gettone, nonce, csrf, jwt, bearer, cookie, autologin, dsn, mnemonic, credential,
  credentials, authentication string, connection string, security stamp, session id, sessionid, session key, api key, private key,
  secret key, secure key, consumer key, access key, auth key, signing key, shared key, preshared key, encryption key, enc key, aes key, rsa key, tac key,
  license key, licence key, ssh key, gpg key, feed key, activation key, actkey, confirmationkey, reset key, recovery code, recovery codes, backup code,
  backup codes, activation code, verification code, validation code, confirmation code, reset code, unlock code, auth code, security code,
  security answer, security question, sicherheitsfrage, sicherheitsantwort, seed phrase, magic link, zugangscode, zugangsdaten, freischaltcode,
  aktivierungscode, cle api, cle secrete, cle activation, code confidentiel, codice segreto, chiave api, chiave segreta, wallet key`);
/** Within a word without separators: `userpassword`, `AccessTokenHash`, `dbpass`. */
const secretPart =
  /passw|pas+hash|(?:pw|pwd|psw|pass)(?:hash|enc|d?salt)|(?:user|usr|login|admin|db|ftp|smtp|mail|new|old|temp|init|root|bind)(?:pwd?|psw|pass)$|kennw|geheim|losungswort|secret(?!ar)|segret(?!ar)|contrasen|motdepasse|motpasse|parolachiave|apikey|privatekey|accesskey|authkey|[a-z]token$|tokenhash|hashkey|keyhash|nthash|pincode|resettoken/;
/** Names that hold a secret word and mean something else: a file's hash, a number of tokens, a place on a map. */
const harmless =
  /^(?:(?:file|commit|content|block|image|row|data|geo) (?:hash|digest)|hash (?:rate|tag)|tokens? (?:count|used)|salt (?:content|mg)|pass (?:rate|count)|(?:ski|boarding) pass|(?:map )?pin (?:color|colour|location)|map pin|secret level|power pw)$/;

const contactWords = listed(`
  email, emails, e mail, mail, mailadresse, usermail, emailadresse, courriel, correo, domicilio, residenza, hausnummer, addr, user agent, remote addr,
  krankheit, krankenkasse, blutgruppe, gewerkschaft, staatsangehoerigkeit, address, adresse, anschrift, direccion, indirizzo, street, strasse, rue, calle, ip,
  ipaddress, ipaddr, religion, konfession, ethnicity, diagnosis, diagnose`);
/** Personal as numbers, too. */
const numberWords = listed(`
  phone, telephone, telefon, telefonnr, telnr, telno, rufnummer, mobilnr, handynr, cellphone, dni, nif, cpf, codice fiscale, svnr, steuer id, kontonr,
  kreditkartennr, card no, cardno, cc no, ccnum, pan, tel, telefono, fax, mobile, mobil, handy, portable, movil, cellulare, iban, ssn, social security, passport,
  steuernummer, tax id, national id, kontonummer, account number, credit card, card number, kreditkarte, salary, gehalt, lohn, salaire,
  salario, stipendio, wage, income`);
const birthWords = listed(`
  birth, birthday, birthdate, dob, gebdat, geb datum, fecha nac, geburtsdatum, geburtstag, geburt, naissance, nacimiento, nascita`);
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
  if (!harmless.test(words.join(' ')) && (has(secretWords) || secretPart.test(joined))) return 'secret';
  if (isReference) return null;
  const isTime = type.kind === 'date' || type.kind === 'time' || type.kind === 'timestamp';
  if (has(birthWords)) return 'personal';
  if (isTime) return null;
  if (has(numberWords)) return 'personal';
  return !isNumber && (has(contactWords) || personalPart.test(joined)) ? 'personal' : null;
}
