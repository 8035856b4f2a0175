import type { Column } from '../ask/columns.ts';
import { Name } from '../parts/value.tsx';

/** A field's name. The tooltip and the tab About have its id, type and meaning. */
export function Term({ column: { label, name, type, notes } }: { readonly column: Column }) {
  return (
    <dt title={[label === name ? type : `${name} · ${type}`, notes].filter((one) => one !== '').join('\n')}>
      <span dir="auto">
        <Name of={label} />
      </span>
    </dt>
  );
}
