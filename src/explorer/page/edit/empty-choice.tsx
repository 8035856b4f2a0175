/** What an empty field holds, and the choice between several such values: NULL is not the empty text. */
import { say } from '../texts/index.ts';
import type { Draft } from './draft.ts';
import type { Field } from './fields.ts';
import { words } from './texts/index.ts';

/** The values that a field can hold while its input is empty. */
export const emptyDrafts = ({ column, isNullable }: Field, isNew: boolean): readonly Draft[] => [
  ...(isNew && !column.isRequired ? [{ is: 'default' } as const] : []),
  ...(isNullable ? [{ is: 'null' } as const] : []),
  ...(column.kind === 'text' ? [{ is: 'text', text: '' } as const] : []),
];

/** The name of the value that an empty field holds. */
export const emptyName = ({ is }: Pick<Draft, 'is'>): string =>
  is === 'null' ? say.nullValue : is === 'default' ? words.default : say.emptyText;

export interface EmptyChoiceProps {
  /** The column's label. */
  readonly label: string;
  readonly draft: Draft;
  /** The values to choose from. */
  readonly drafts: readonly Draft[];
  onDraft(draft: Draft): void;
}

/** The choice, over the empty input of an `.edit-box`. The focus returns to that input. */
export function EmptyChoice({ label, draft, drafts, onDraft }: EmptyChoiceProps) {
  return (
    <select
      aria-label={words.ifEmpty(label)}
      value={draft.is === 'text' ? 'text' : draft.is}
      onChange={({ currentTarget }) => {
        const chosen = drafts.find(({ is }) => is === currentTarget.value);
        if (chosen !== undefined) onDraft(chosen);
        currentTarget.closest('.edit-box')?.querySelector<HTMLElement>('textarea,.line')?.focus();
      }}
    >
      {drafts.map(({ is }) => (
        <option key={is} value={is}>
          {emptyName({ is })}
        </option>
      ))}
    </select>
  );
}
