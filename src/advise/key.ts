import { scalar } from '../values/yaml-scalar.ts';
import { quotedName, type ResourceFacts, type Rule } from './facts.ts';

/** Finds resources without a proven key: the pages of a large table then have no stable order. A view's key can never be proven. */
export const key: Rule = ({ resources, server }) =>
  resources.flatMap((resource) => {
    const { id, table, catalogTable } = resource;
    if (table.order.isTotal && table.keyIs === 'claimed') {
      const names = table.key.map(({ name }) => name);
      const says = `is ${names.map(quotedName).join(', ')}, which no index proves; this query must find nothing`;
      return [{ path: ['resources', id, 'key'], says, sql: server.remedies.repeated(catalogTable, names) }];
    }
    if (table.order.isTotal || table.keyIs !== 'none') return [];
    const path = ['resources', id, 'table'];
    const why = 'its pages have no total order once it is large';
    if (catalogTable.kind === 'view') {
      const says = `is a view without a key: ${why}; name the columns that identify a record, such as \`key: [id]\``;
      return [{ path, says }];
    }
    const unique = catalogTable.uniqueKeys.find(({ columns }) => columns.every((name) => !isNullable(resource, name)));
    if (unique !== undefined) {
      const setting = `key: [${unique.columns.map(scalar).join(', ')}]`;
      return [{ path, says: `has no key: ${why}; write \`${setting}\``, setting }];
    }
    const column = ['id', 'record_id', 'gateway_id'].find(
      (name) => !catalogTable.columns.some((one) => one.name === name),
    );
    const says = `has no key: ${why}; number its records (an INSERT without a list of columns may need one afterwards)`;
    return [{ path, says, sql: server.remedies.key(catalogTable, column ?? 'datastore_gateway_id') }];
  });

const isNullable = ({ catalogTable }: ResourceFacts, name: string): boolean =>
  catalogTable.columns.find((column) => column.name === name)?.nullable !== false;
