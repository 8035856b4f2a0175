import { denied, invalid } from '../model/errors.ts';
import { isObject } from '../values/json.ts';
import { deletion } from './write/deletion.ts';

/** Contract 7. CKAN drops the table where no filters are sent: a client that forgets them loses everything. */
export const datastore_delete = deletion({
  name: 'datastore_delete',
  help: 'Delete the records of a resource that match all filters. Without filters it is refused: no table is ever dropped.',
  refusesOthers: true,
  filters(sent) {
    if (sent === undefined || sent === null) throw denied('this table cannot be dropped through the API');
    if (!isObject(sent)) throw invalid({ filters: ['filters must be either a dict or null.'] });
    return sent;
  },
});
