/** The tab Summary: how many records have which value. Nothing is counted until a column is chosen. */
import type { TabProps } from '../parts/tab-props.ts';
import { say } from '../texts/index.ts';
import { Facet } from './facet.tsx';

export function Summary(props: TabProps) {
  const { table, view, onShow } = props;
  const { by } = view;
  if (!table.canSummarize) return <p class="note">{say.noSummaries}</p>;
  const possible = table.columns.filter(({ kind, name }) => kind !== 'other' && !by.includes(name));
  return (
    <section class="summary" aria-label={say.tabs.summary}>
      <label class="stacked">
        <span class="unseen-label">{say.chooseColumn}</span>
        <select
          value=""
          onChange={(event) => {
            onShow({ by: [event.currentTarget.value, ...by] });
            event.currentTarget.value = '';
          }}
        >
          <option value="">{say.chooseColumn}</option>
          {possible.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {by.length === 0 && <p class="note">{say.summarizeWhat}</p>}
      {by.map((name) => {
        const column = table.columns.find((one) => one.name === name);
        return column === undefined ? null : <Facet key={name} {...props} column={column} />;
      })}
    </section>
  );
}
