/** Pure. Words that suggest secrets or personal data, in English, German, French, Spanish and Italian, and some in other languages. */
import { splitList } from './words.ts';

/** Words that suggest secrets only as whole words of a column's name: in comments or inside other words, they mostly mean something else. */
const secretNames = splitList(`
  pwd, pw, pass, psw, pswd, pword, mdp, clave, pin, tan, cvv, cvc, otp, otep, totp, salt, hash, digest, hmac, psk, ha 1, ntlm, secret, nonce, token, jeton,
  cookie, dsn, mnemonic, tac key, haslo, senha, config value, configuration value, option value, setting value, settings value, meta value,
  preference value, property value, parameter value, param value`);
const secretWords = splitList(`
  password, passwd, passwort, kennwort, passphrase, passcode, passw, mot de passe, mot passe, contrasena, wachtwoord,
  parola chiave, parola segreta, losungswort, bcrypt, geheimnis, secreto, segreto, gettone, csrf, jwt, bearer, autologin, credential,
  authentication string, connection string, security stamp, session id, session key, api key, private key, secret key, secure key, consumer key,
  access key, auth key, signing key, shared key, preshared key, encryption key, enc key, aes key, rsa key, license key, licence key, ssh key, gpg key,
  feed key, activation key, act key, actkey, confirmation key, confirmationkey, reset key, recovery code, backup code, activation code, verification code,
  validation code, confirmation code, reset code, unlock code, auth code, security code, card verification, approval code, authorization code,
  security answer, security question, sicherheitsfrage, sicherheitsantwort, seed phrase, magic link, zugangscode, zugangsdaten, freischaltcode,
  aktivierungscode, cle api, cle secrete, cle activation, code confidentiel, codice segreto, chiave api, chiave segreta, wallet key`);
/** Matches secrets in names without separators, such as `userpassword`, `AccessTokenHash` or `dbpass`. */
export const secretPart =
  /passw|pas+hash|(?:pw|pwd|psw|pass)(?:hash|enc|d?salt)|(?:user|usr|login|admin|db|ftp|smtp|mail|new|old|temp|init|root|bind)(?:pwd?|psw|pass)$|kennw|geheim|losungswort|secret(?!ar)|segret(?!ar)|contrasen|motdepasse|motpasse|parolachiave|apikey|privatekey|accesskey|authkey|[a-z]token$|tokenhash|hashkey|keyhash|nthash|pincode|resettoken/;
/** Matches names that contain a private word but mean something else: a file's hash, a number of tokens, a pin on a map. */
export const harmless =
  /^(?:(?:file|commit|content|block|image|row|data|geo) (?:hash|digest)|hash (?:rate|tag)|tokens? (?:count|used)|salt (?:content|mg)|pass (?:rate|count)|(?:ski|boarding) pass|(?:map )?pin (?:color|colour|location)|map pin|secret level|power pw|(?:birth|death) rate|(?:country )?phone (?:country )?code)$/;

const contactNames = splitList(`
  mail, addr, ip, rue, calle, nick, login, cv, resume, sex, sexe, sexo, sesso, religion, konfession, diagnosis, diagnose, salutation, anrede, signature,
  spouse, guardian, skype, whatsapp, zip, plz, cc owner, cc holder, tax id, comment agent, comment author, reviewer, cardholder, card owner`);
const contactWords = splitList(`
  email, e mail, mailadresse, courriel, correo, domicilio, residenza, hausnummer, user agent, remote addr, krankheit, krankenkasse, blutgruppe,
  gewerkschaft, staatsangehoerigkeit, staatsangehorigkeit, nationality, nationalitat, nationalite, citizenship, address, adresse, anschrift, direccion,
  indirizzo, endereco, street, strasse, strase, straat, ulica, ethnicity, gender, geschlecht, geslacht, marital status, civil status, familienstand, estado civil,
  etat civil, situation familiale, stato civile, blood type, blood group, allergy, medical history, medical record, health status, disability,
  sexual orientation, curriculum vitae, lebenslauf, demographic, contact info, contact information, contact detail, emergency contact, next of kin,
  first name, last name, middle name, given name, family name, maiden name, mother maiden, birth name, full name, nick name, login name, screen name,
  user login, nicename, forename, surname, vorname, nachname, zuname, familienname, geburtsname, mittelname, prenom, nom famille, nom de famille, nom complet,
  apellido, nombre completo, primer nombre, segundo nombre, cognome, nome completo, sobrenome, voornaam, achternaam, imie, nazwisko, login id,
  email id, postal code, post code, postcode, zip code, zipcode, postleitzahl, code postal, codigo postal, kontoinhaber, account holder, card holder,
  bankverbindung, license plate, licence plate, kfz kennzeichen, biometric, fingerprint, suburb, mac address`);
/** Names for personal data that may be stored as a number, such as `ssn`: they count for numeric columns, too. */
const numberNames = splitList(
  'pan, tel, mobile, mobil, handy, portable, movil, cellulare, celular, fax, income, wage, ssn, nif, nie, dni, rg, cpf, bsn, curp, cedula, pesel',
);
const numberWords = splitList(`
  phone, telephone, telefon, telefoon, telefonnr, telefonnummer, telnr, telno, rufnummer, mobilnr, handynr, handynummer, cellphone, codice fiscale, svnr,
  sozialversicherungsnummer, personalausweis, ausweisnummer, reisepass, insurance number, steuer id, steueridentifikationsnummer, kontonr, kreditkartennr,
  card no, card number, card nr, card num, cc no, cc num, cc number, cc expire, cc exp, telefono, telefone, iban, social security, securite sociale, seguridad social,
  passport, passeport, pasaporte, driver license, driver licence, driving license, driving licence, license number, licence number, steuernummer,
  national id, national identification, numero identite, kontonummer, account number, account no, bank account, routing number, credit card, kreditkarte, salary, gehalt, lohn,
  salaire, salario, stipendio`);
const birthWords = splitList(`
  birth, birthday, birthdate, dob, gebdat, geb datum, fecha nac, geburtsdatum, geburtstag, geburtsort, geburt, naissance, nacimiento, nascita, nascimento,
  geboorte, geboortedatum, urodzenia, death date, date of death, sterbedatum, todesdatum`);
/** Matches personal data in names without separators, such as `kundentelefonnummer`. */
export const personalPart =
  /email_?addr|phonenumber|telefon|telephone|geburts|dateofbirth|birthdate|firstname|lastname|surname|maidenname|vorname|nachname|streetaddress|creditcard|kreditkart|socialsecurity|passport|maritalstatus/;

/**
 * If a name ends in one of these words, the column only describes the data: `phone_number_type`. The list below has words that do so at the
 * beginning: `has_phone`.
 */
export const about = new Set(
  splitList(`
  type, typ, kind, category, count, counter, len, length, size, min, max, enabled, disabled, active, required, optional, allowed, verified, confirmed,
  validated, valid, estimated, sent, format, template, policy, mode, method, flag, status, version, order, sort, priority, label, description, desc, icon, color,
  colour, attempt, limit, interval, timeout, day, strength, algorithm, source, visible, visibility, shown, used, group, class, pattern, regex,
  prefix, mask, placeholder, locale, language, charset, server, host, port, domain, optin, id`),
);
export const aboutFirst = new Set(
  splitList('is, has, can, min, max, allow, require, enable, show, hide, count, send, notify, validate'),
);

/** Words for people. With one, a name is personal data: a column `customer_name`, or `name` in a table `customers`. */
export const people = splitList(`
  person, people, customer, client, user, employee, patient, contact, member, student, teacher, author, owner, holder, recipient, sender, buyer, applicant,
  candidate, guest, visitor, subscriber, citizen, voter, beneficiary, payee, payer, donor, signatory, staff, reviewer, admin, doctor, passenger, kunde, kunden,
  benutzer, mitarbeiter, patienten, ansprechpartner, schuler, schueler, mitglied, mitglieder, inhaber, empfanger, utilisateur, personne, personnel, salarie,
  eleve, adherent, cliente, usuario, empleado, paciente, persona, alumno, socio, utente, dipendente, paziente, klant, medewerker, funcionario`);
const addressees = splitList('billing, shipping, delivery, beneficiario, destinatario');
const names = splitList('name, nom, nombre, nome, naam, namen');
/** Column names that mean a person's name if the table is about people. */
export const nameAlone = new Set([...names, 'display name', 'identifier']);

/** More words, used to split names without separators into their words. */
const usualWords = splitList(`
  of, no, nr, num, number, numero, nummer, code, date, data, datum, line, place, first, last, middle, full, display, user, usr, login, account, entry, home, work, office, business,
  private, main, primary, secondary, alt, other, current, new, old, cell, day, night, contact, company, state, city, country, region, zip, expiration, expiry,
  exp, expire, month, year, bank, card, credit, debit, payment, verification, approval, additional, info, value, text, key, parent, emergency, ship, bill, tax, job, hire, auth, and,
  national, social, security, marital, civil, mother, father, holder, district, room, time, created, updated, rate, hourly, annual, base, amount`);

export type Phrases = Readonly<Record<'secret' | 'personal' | 'number' | 'birth', ReadonlySet<string>>>;
export const phrases: Phrases = {
  secret: new Set([...secretNames, ...secretWords]),
  personal: new Set([...contactNames, ...contactWords]),
  number: new Set([...numberNames, ...numberWords]),
  birth: new Set(birthWords),
};
/** The phrases to look for in a column's comment, where short words would be ambiguous because comments are whole sentences. */
export const inComments: Phrases = {
  secret: new Set(secretWords),
  personal: new Set(contactWords),
  number: new Set(numberWords),
  birth: new Set(birthWords),
};
export const personNames = new Set(
  [...people, ...addressees].flatMap((person) => names.flatMap((name) => [`${person} ${name}`, `${name} ${person}`])),
);

const wordsIn = (lists: readonly string[]) => lists.flatMap((phrase) => phrase.split(' '));
const onlyApart = new Set(wordsIn([...secretNames, ...contactNames, ...numberNames]));
export const knownWords = new Set([
  ...wordsIn([...Object.values(inComments).flatMap((some) => [...some]), ...names, ...people]).filter(
    (word) => word.length > 3,
  ),
  ...usualWords.filter((word) => !onlyApart.has(word)),
  ...[...about].filter((word) => word.length > 2),
  ...[...addressees, 'id', 'mail', 'fax'],
]);
export const articles = new Set(
  splitList('a, an, the, this, its, of, for, s, der, die, das, des, dem, den, le, la, les, l, el, los, il'),
);
