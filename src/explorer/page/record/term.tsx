import type { Column } from '../ask/columns.ts';
import { Name } from '../parts/value.tsx';

/** The name of a field. Its id, type and meaning are in the hint, and in the tab About. */
export function Term({ column: { label, name, type, notes } }: { readonly column: Column }) {
  return (
    <dt title={[label === name ? type : `${name} · ${type}`, notes].filter((one) => one !== '').join('\n')}>
      <span dir="auto">
        <Name of={label} />
      </span>
    </dt>
  );
}
