import type { ComponentChildren } from 'preact';
import type { JsonObject } from '../ask/json.ts';
import type { Table } from '../ask/table.ts';
import type { PanelProps } from '../parts/tab-props.ts';

/** The forms that edit and delete the record. */
interface Forms {
  renderEdit(props: FormProps & { onSaved(): void }): ComponentChildren;
  renderRemoval(props: FormProps & { onRemoved(): void }): ComponentChildren;
  /** A map that shows the record. */
  renderPlace(props: {
    readonly longitude: number;
    readonly latitude: number;
    readonly label: string;
  }): ComponentChildren;
}

interface FormProps {
  readonly table: Table;
  readonly record: JsonObject;
  onCancel(): void;
}

export interface RecordProps extends PanelProps, Forms {
  /** Whether the form opens at once. */
  readonly isEdited?: boolean;
}
