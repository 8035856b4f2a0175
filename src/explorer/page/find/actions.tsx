import { columnsOf } from '../ask/columns.ts';
import { flatParams } from '../ask/question.ts';
import { site } from '../ask/site.ts';
import { token } from '../ask/token.ts';
import { Copy } from '../parts/copy.tsx';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';
import type { TabProps } from '../parts/tab-props.ts';
import { say, shownCount } from '../texts/index.ts';
import { DownloadForm } from './lazy-forms.ts';

/** The actions for a table: share it, edit it, download it. */
export function Actions({ table, view, search, onShow }: TabProps) {
  const { question, tab } = view;
  const isEditing = tab === 'data' && view.isEditing;
  return (
    <div class="actions">
      <Copy
        class="quiet"
        text={() => location.href}
        label={
          <>
            <Icon name="share" />
            {say.copyLink}
          </>
        }
      />
      {table.canWrite ? (
        <button
          type="button"
          aria-pressed={isEditing}
          onClick={() => onShow({ tab: 'data', isEditing: !isEditing, panel: 'none', row: null })}
        >
          <Icon name="edit" />
          <span>{say.editData}</span>
        </button>
      ) : (
        table.takesWrites &&
        token() === '' &&
        !site.isFramed && (
          <button type="button" popovertarget="token">
            <Icon name="edit" />
            <span>{say.signInToEdit}</span>
          </button>
        )
      )}
      <Popover
        button={
          <>
            <Icon name="download" />
            <span>{say.download}</span>
          </>
        }
        label={say.download}
        class="primary download"
      >
        {() => (
          <DownloadForm
            table={table}
            params={flatParams(question)}
            what={say.downloadWhat(search.says, columnsInFile({ table, view, search }))}
          />
        )}
      </Popover>
    </div>
  );
}

/** How many columns a download has. Every download begins with `_id`, unless the table has such a column itself. */
function columnsInFile({ table, view, search }: Pick<TabProps, 'table' | 'view' | 'search'>): string {
  const { columns, binary, key } = table;
  const { fields } = view.question;
  const [some, all] = [fields?.length ?? columns.length, columns.length + binary.length];
  const count =
    some === all ? say.allColumns(shownCount(all), all) : say.someColumns(shownCount(some), shownCount(all));
  const hasId = columnsOf(search.pages.first?.result.fields)[0]?.name === '_id' && !key.includes('_id');
  return fields === null && hasId ? say.andId(count) : count;
}
