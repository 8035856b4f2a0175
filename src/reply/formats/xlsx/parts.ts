/** The parts of a workbook besides its data. */
import type { Cell } from '../../../model/value.ts';
import type { FileAbout, TypedColumn } from '../format.ts';
import { type Exceptions, numberCell, textCell } from './cells.ts';

const schemas = 'http://schemas.openxmlformats.org';
const main = `${schemas}/spreadsheetml/2006/main`;
const relations = `${schemas}/officeDocument/2006/relationships`;
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The cell formats, in the order of `style` in `cells.ts`. */
const formats = ['yyyy\\-mm\\-dd', 'yyyy\\-mm\\-dd\\ hh:mm:ss', 'hh:mm:ss', '[hh]:mm:ss'];
const eachFormat = (xml: (code: string, id: number) => string) =>
  formats.map((code, nth) => xml(code, 164 + nth)).join('');
const styles = [
  `<styleSheet xmlns="${main}"><numFmts count="${formats.length}">`,
  eachFormat((code, id) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`),
  '</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  `<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${formats.length + 2}">`,
  '<xf/><xf fontId="1" applyFont="1"/>',
  eachFormat((_, id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`),
  '</cellXfs></styleSheet>',
].join('');
const frozenHeader =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

/** The start of a sheet, up to its first row. */
export function sheetHead(widths: readonly number[], hasHeader: boolean): string {
  const columns = widths.map(
    (width, nth) => `<col min="${nth + 1}" max="${nth + 1}" width="${width}" customWidth="1"/>`,
  );
  const cols = columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`;
  return `${declaration}<worksheet xmlns="${main}">${hasHeader ? frozenHeader : ''}${cols}<sheetData>`;
}

/** The end of a sheet. @param filtered the columns and rows that have filter buttons; null for none */
export const sheetTail = (filtered: { readonly columns: number; readonly rows: number } | null): string =>
  `</sheetData>${filtered === null || filtered.columns === 0 ? '' : `<autoFilter ref="A1:${lettersOf(filtered.columns)}${filtered.rows}"/>`}</worksheet>`;

/** The widths of date and time columns, which do not depend on the values. */
const fixedWidths: Readonly<Record<string, number>> = { date: 11, timestamp: 19, time: 10 };
const [minWidth, maxWidth] = [8, 60];

/** A column's width in characters: enough for its name and for the widest value among these rows. */
export function widthOf({ name, type, encoder }: TypedColumn, rows: readonly (readonly Cell[])[], at: number): number {
  const lengths = rows.map((row) => fixedWidths[type.kind] ?? encoder.plain(row[at] ?? null)?.length ?? 0);
  // The header also needs room for the filter button.
  return Math.min(maxWidth, Math.max(minWidth, name.length + 4, ...lengths) + 1);
}

/** A column's letters: 1 is A, 27 is AA. */
function lettersOf(column: number): string {
  const rest = column - 1;
  return (rest < 26 ? '' : lettersOf(Math.floor(rest / 26))) + String.fromCharCode(65 + (rest % 26));
}

/** The last sheet: where the records come from, how many there are, and which values differ from the database's. */
export function aboutSheet(about: FileAbout, records: number, { cut, numbers, times }: Exceptions): string {
  const facts: readonly (readonly [string, string | number])[] = [
    ['Title', about.title],
    ['Resource', about.resource],
    ['Address', about.address.slice(0, 32_767)],
    ['Time', about.time],
    ...(about.licence === '' ? [] : [['Licence', about.licence] as const]),
    ['Records', records],
    ['Texts cut at 32,767 characters', cut],
    ['Numbers that Excel would round, NaN and infinities: written as text', numbers],
    ['Dates and times outside Excel’s calendar: written as text', times],
  ];
  const rows = facts
    .filter(([name, value]) => value !== 0 || name === 'Records')
    .map(
      ([name, value]) =>
        `<row>${textCell(name)}${typeof value === 'number' ? numberCell(value) : textCell(value)}</row>`,
    );
  return `${sheetHead([60, 60], false)}${rows.join('')}${sheetTail(null)}`;
}

/** All other parts of a workbook, by their paths. @param sheets the names of the sheets, in order */
export function frameOf(sheets: readonly string[]): Readonly<Record<string, string>> {
  const each = (text: (name: string, number: number) => string) =>
    sheets.map((name, nth) => text(name, nth + 1)).join('');
  const parts = {
    'xl/styles.xml': styles,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${each((name, n) => `<sheet name="${name}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${schemas}/package/2006/relationships">${each((_, n) => `<Relationship Id="rId${n}" Type="${relations}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="styles" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    '_rels/.rels': `<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml': `<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>${each((_, n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${types}.worksheet+xml"/>`)}</Types>`,
  };
  return Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, declaration + xml]));
}
