/** The parts of a workbook besides its data. */
import type { FileAbout } from '../format.ts';
import { type Exceptions, numberCell, textCell } from './cells.ts';

const schemas = 'http://schemas.openxmlformats.org';
const main = `${schemas}/spreadsheetml/2006/main`;
const relations = `${schemas}/officeDocument/2006/relationships`;
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The formats of cells, in the order of `style` in `cells.ts`. */
const formats = ['yyyy\\-mm\\-dd', 'yyyy\\-mm\\-dd\\ hh:mm:ss', 'hh:mm:ss', '[hh]:mm:ss'];
const styles = `<styleSheet xmlns="${main}"><numFmts count="4">${formats
  .map((code, nth) => `<numFmt numFmtId="${164 + nth}" formatCode="${code}"/>`)
  .join(
    '',
  )}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="6"><xf/><xf fontId="1" applyFont="1"/>${formats
  .map((_, nth) => `<xf numFmtId="${164 + nth}" applyNumberFormat="1"/>`)
  .join('')}</cellXfs></styleSheet>`;

/** The begin of a sheet, up to its first row. */
export const sheetHead = (widths: readonly number[], isFrozen: boolean): string =>
  `${declaration}<worksheet xmlns="${main}">${isFrozen ? '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' : ''}<cols>${widths
    .map((width, nth) => `<col min="${nth + 1}" max="${nth + 1}" width="${width}" customWidth="1"/>`)
    .join('')}</cols><sheetData>`;

/** The end of a sheet. @param rows the number of rows, with the header; null for a sheet without filter buttons */
export const sheetTail = (columns: number, rows: number | null): string =>
  `</sheetData>${rows === null ? '' : `<autoFilter ref="A1:${lettersOf(columns)}${rows}"/>`}</worksheet>`;

/** The name of a column by its number: 1 is A, 27 is AA. */
function lettersOf(column: number): string {
  const rest = column - 1;
  return (rest < 26 ? '' : lettersOf(Math.floor(rest / 26))) + String.fromCharCode(65 + (rest % 26));
}

/** The last sheet: where the records come from, how many there are, and which values are not as in the database. */
export function aboutSheet(about: FileAbout, records: number, { cut, numbers, times }: Exceptions): string {
  const facts: readonly (readonly [string, string | number])[] = [
    ['Title', about.title],
    ['Resource', about.resource],
    ['Address', about.address.slice(0, 32_767)],
    ['Time', about.time],
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
  return `${sheetHead([60, 60], false)}${rows.join('')}${sheetTail(2, null)}`;
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
