/** What one caller may know of the whole gateway. Joins its settings and catalogues with the rights of the caller. */
import { canRead, permit } from './accept/permit.ts';
import type { AnyAction, Listed, Site } from './actions/action.ts';
import * as actions from './actions/index.ts';
import type { Caller } from './plan.ts';
import type { ResourceSettings } from './setup/assemble.ts';
import type { Gateway } from './setup/gateway.ts';

/** @param url where clients find the gateway, with its base path */
export function siteOf(gateway: Gateway, caller: Caller | null, url: string): Site {
  const { server, resources } = gateway.settings;
  const listed = (settings: ResourceSettings): Listed => {
    const { name: id, aliases, title, description, access, database } = settings;
    const table = gateway.views.get(database)?.tables.get(id);
    return { id, aliases, title, description, access, table: typeof table === 'object' ? table : null };
  };
  return {
    url,
    title: server.title,
    version: server.compat,
    actions: Object.values(actions),
    resources: [...resources.values()].map(listed).filter((resource) => canRead(caller, resource)),
    resource(name) {
      const found = configured(gateway, name);
      if (found === undefined) return undefined;
      const resource = listed(found);
      permit(caller, resource, 'read');
      return resource;
    },
  };
}

/** A resource by its id or an alias. */
export function configured({ settings: { resources } }: Gateway, name: string): ResourceSettings | undefined {
  return resources.get(name) ?? [...resources.values()].find(({ aliases }) => aliases.includes(name));
}

/** Undefined where there is no such action. A module namespace has no prototype, so `constructor` is none. */
export function actionNamed(name: string): AnyAction | undefined {
  return Object.entries(actions).find(([known]) => known === name)?.[1];
}
