import { invalid } from '../model/errors.ts';
import { isObject } from '../values/json.ts';
import { deletion } from './write/deletion.ts';

/** Like `datastore_delete`, except that unknown parameters are ignored, as in CKAN. */
export const datastore_records_delete = deletion({
  name: 'datastore_records_delete',
  help: 'Delete the records of a resource that match all filters. The table itself is never touched.',
  refusesOthers: false,
  filters(sent) {
    if (sent === undefined) throw invalid({ filters: ['Missing value'] });
    if (!isObject(sent)) throw invalid({ filters: ['Must be a dict'] });
    return sent;
  },
});
