/** The printed page: the loaded records, with the search above them. The grid itself renders only the rows on the screen. */
import { useEffect, useState } from 'preact/hooks';
import type { Pages } from '../ask/pages.ts';
import type { Question } from '../ask/question.ts';
import type { Table } from '../ask/table.ts';
import { CellValue } from '../parts/cell-value.tsx';
import { inWords } from '../parts/condition-words.ts';
import { Name } from '../parts/value.tsx';
import { say, shownCount } from '../texts/index.ts';
import type { Shown } from './widths.ts';

export interface PrintTableProps {
  readonly table: Table;
  readonly question: Question;
  readonly pages: Pages;
  readonly columns: readonly Shown[];
}

const mostRows = 1000;
const now = new Intl.DateTimeFormat(say.language, { dateStyle: 'long', timeStyle: 'short' });

export function PrintTable(props: PrintTableProps) {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const [begin, end] = [() => setPrinting(true), () => setPrinting(false)];
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting ? <Printed {...props} /> : null;
}

function Printed({ table, question, pages, columns }: PrintTableProps) {
  const { q, conditions } = question;
  const first = Array.from({ length: Math.min(mostRows, pages.length) }, (_, row) => row);
  const rows = first.filter((row) => pages.row(row) !== undefined);
  const isPart = pages.total === null || rows.length < pages.total;
  return (
    <div class="print">
      <p>
        {[
          ...(q === '' ? [] : [say.quotes.join(q)]),
          ...conditions.map((one) => inWords(one, table)),
          now.format(),
        ].join(' · ')}
      </p>
      {isPart && <p>{say.printedPart(shownCount(rows.length))}</p>}
      <table>
        <thead>
          <tr>
            {columns.map(({ column }) => (
              <th key={column.name} scope="col">
                <Name of={column.label} />
                {column.unit !== '' && ` (${column.unit})`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              {columns.map(({ column, look, isNumber, referred, at: place }) => (
                <td key={column.name} class={isNumber ? 'number' : ''}>
                  <CellValue value={pages.row(row)?.[place] ?? null} {...{ column, look, referred }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
