import { useState } from 'preact/hooks';
import { type Block, blockOf } from './block.ts';
import type { Cell } from './cells.ts';

export interface Selection {
  /** The selected cell; null until the user selects one. */
  readonly selected: Cell | null;
  /** The selected cell, or the first one: the grid's tab stop. */
  readonly current: Cell;
  /** The cells from the block's corner to the current one. */
  readonly block: Block;
  /** @param isFurther whether to extend the block to this cell (Shift) */
  select(cell: Cell, isFurther: boolean): void;
  /** Selects the cell of the same column in another row. */
  selectRow(row: number): void;
}

const firstCell: Cell = { row: 0, column: 0 };

/** The cell that the user has selected, or the block of cells. */
export function useSelection(): Selection {
  const [selected, setSelected] = useState<Cell | null>(null);
  /** The cell where the selected block begins; null if only one cell is selected. */
  const [corner, setCorner] = useState<Cell | null>(null);
  const current = selected ?? firstCell;
  return {
    selected,
    current,
    block: blockOf(current, corner ?? current),
    select(cell, isFurther) {
      setCorner(isFurther ? (corner ?? selected) : null);
      setSelected(cell);
    },
    selectRow: (row) => setSelected({ row, column: current.column }),
  };
}
