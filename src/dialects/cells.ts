/** Helpers to read the cells of catalogue queries. */
import type { Cell } from '../model/value.ts';

export function text(cell: Cell | undefined): string {
  if (cell instanceof Uint8Array) return Buffer.from(cell).toString('utf8');
  return cell === null || cell === undefined ? '' : String(cell);
}

/** A JSON array of names, as PostgreSQL's json_agg gives it. */
export function list(cell: Cell | undefined): readonly string[] {
  if (cell === null || cell === undefined) return [];
  const parsed: unknown = JSON.parse(text(cell));
  return Array.isArray(parsed) ? parsed.map(String) : [];
}

/** Groups rows by their first two cells: schema and table name. */
export function groups(rows: readonly (readonly Cell[])[]): Map<string, (readonly Cell[])[]> {
  const byTable = new Map<string, (readonly Cell[])[]>();
  for (const row of rows) {
    const id = JSON.stringify([text(row[0]), text(row[1])]);
    const group = byTable.get(id);
    if (group === undefined) byTable.set(id, [row]);
    else group.push(row);
  }
  return byTable;
}
