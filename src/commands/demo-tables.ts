/** The demo's tables: real data, most of it from Node's `Intl`, under names like those of legacy tables. */

import { plain, type Statement } from '../model/rows.ts';
import { airports } from './demo-airports.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const pairs = letters.flatMap((a) => letters.map((b) => a + b));

/** The statements that create and fill the tables of `config/demo.yaml`. */
export function demoTables(): readonly Statement[] {
  return [
    plain(`CREATE TABLE "tbl_Countries" ("country id" serial PRIMARY KEY, code char(2) NOT NULL UNIQUE, name text NOT NULL,
      "Ländername" text, "Название" text, "名称" text, updated timestamp(3) NOT NULL DEFAULT '2026-01-01')`),
    plain(
      `CREATE TABLE "languages (ISO 639)" (code varchar(8) PRIMARY KEY, "Name (English)" text NOT NULL, "Eigenname" text, "writing direction" varchar(3))`,
    ),
    plain(
      `CREATE TABLE "CURRENCY" (no integer PRIMARY KEY, code char(3) NOT NULL UNIQUE, name text NOT NULL, symbol text, "minor unit" numeric(12,9))`,
    ),
    plain(`CREATE INDEX words ON "CURRENCY" USING gin (to_tsvector('english', name))`),
    ...inserts('"tbl_Countries" (code, name, "Ländername", "Название", "名称")', countries()),
    plain(`CREATE TABLE "tbl_Airport" (iata char(3) PRIMARY KEY, name text NOT NULL, country char(2) NOT NULL REFERENCES "tbl_Countries" (code),
      lat numeric(7,4) NOT NULL, lon numeric(7,4) NOT NULL, elevation integer NOT NULL, runway numeric(4,2) NOT NULL, opened date, rail boolean NOT NULL,
      website text)`),
    ...inserts('"tbl_Airport"', airports),
    ...inserts('"languages (ISO 639)"', languages()),
    ...inserts('"CURRENCY"', currencies()),
    // Gives the server its estimates of the record counts.
    plain('ANALYZE'),
  ];
}

function inserts(into: string, rows: readonly (readonly (string | null)[])[]): readonly Statement[] {
  return rows.map((values) => ({
    text: `INSERT INTO ${into} VALUES (${values.map((_, at) => `$${at + 1}`).join(', ')})`,
    values,
  }));
}

function countries(): readonly (readonly string[])[] {
  const names = ['en', 'de', 'ru', 'zh'].map(
    (locale) => new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' }),
  );
  const countryCodes = pairs.filter(
    (code) => names[0]?.of(code) !== undefined && !/^(EU|EZ|UN|XA|XB|ZZ|QO)$/.test(code),
  );
  return countryCodes.map((code) => [code, ...names.map((name) => name.of(code) ?? code)]);
}

function languages(): readonly (readonly (string | null)[])[] {
  const english = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  return pairs
    .map((pair) => pair.toLowerCase())
    .filter((code) => english.of(code) !== undefined && Intl.getCanonicalLocales(code)[0] === code)
    .map((code) => {
      const nativeName = new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code) ?? null;
      return [code, english.of(code) ?? code, nativeName, /^(ar|dv|fa|he|ps|sd|ug|ur|yi)$/.test(code) ? 'rtl' : 'ltr'];
    });
}

function currencies(): readonly (readonly string[])[] {
  const names = new Intl.DisplayNames(['en'], { type: 'currency' });
  return Intl.supportedValuesOf('currency').map((code, at) => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' });
    const symbol = format.formatToParts(0).find((part) => part.type === 'currency')?.value ?? code;
    const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
    return [
      String(at + 1),
      code,
      names.of(code) ?? code,
      symbol,
      `${digits === 0 ? '1' : `0.${'1'.padStart(digits, '0')}`}`,
    ];
  });
}
