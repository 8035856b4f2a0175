import { useMemo, useRef } from 'preact/hooks';
import type { Pages } from '../ask/pages.ts';
import type { Question } from '../ask/question.ts';
import type { Table } from '../ask/table.ts';
import { useLabels } from '../parts/labels.ts';
import { frozenCount, useArrangement, withWidth } from './arrangement.ts';
import { shownColumns } from './shown-columns.ts';
import type { Shown } from './widths.ts';

export interface Columns {
  readonly columns: readonly Shown[];
  /** How many of the first columns do not scroll. */
  readonly frozen: number;
  /** Reads the labels of the records that these rows refer to. */
  readLabels(first: number, last: number): void;
  /** @param width null for the width that the values need */
  resize(name: string, width: number | null): void;
  /** @param name the last column to freeze; '' for none */
  freeze(name: string): void;
}

/** The grid's columns, as the user has arranged them. They become wider as rows with longer values or labels arrive. */
export function useColumns(table: Table, pages: Pages, question: Question): Columns {
  const widths = useRef(new Map<string, number>());
  const [arrangement, arrange] = useArrangement(table.id);
  const [labels, labelLoads] = useLabels(table.references);
  const columns = useMemo(
    () => shownColumns(table, pages, question, labels, widths.current, arrangement.widths),
    [pages.first, pages.extents, question.fields, question.sort[0]?.field, labelLoads, arrangement.widths],
  );
  return {
    columns,
    frozen: frozenCount(arrangement, columns, table.label, innerWidth),
    readLabels: (first, last) => labels.read((field) => pages.valuesNear(field, first, last)),
    resize: (name, width) => arrange(withWidth(arrangement, name, width)),
    freeze: (name) => arrange({ ...arrangement, frozen: name }),
  };
}
