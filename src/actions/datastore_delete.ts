import { denied, invalid } from '../model/errors.ts';
import { isObject } from '../values/json.ts';
import { deletion } from './write/deletion.ts';

/** Deletes the records that match filters, and requires some: CKAN drops the whole table for a client that forgot them. */
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
