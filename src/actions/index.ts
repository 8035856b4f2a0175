/** The registry of actions: to add an action, write its file and one line here. */
export { datastore_aggregate } from './datastore_aggregate.ts';
export { datastore_changes } from './datastore_changes.ts';
export { datastore_delete } from './datastore_delete.ts';
export { datastore_info } from './datastore_info.ts';
export { datastore_records_delete } from './datastore_records_delete.ts';
export { datastore_search } from './datastore_search.ts';
export { datastore_search_sql } from './datastore_search_sql.ts';
export { datastore_upsert } from './datastore_upsert.ts';
export { help_show } from './help_show.ts';
export { resource_list } from './resource_list.ts';
export { resource_show } from './resource_show.ts';
export { status_show } from './status_show.ts';
