/** What a table's metadata tells readers. */
import { type Json, type JsonObject, list, object, text, textOf, texts } from '../ask/json.ts';

/** A person, an organization, a licence, or a source. Empty texts are unknown. */
export interface Party {
  readonly title: string;
  readonly url: string;
  readonly email: string;
}

/** A table's metadata. Null, and empty texts and lists, mean that the configuration does not say. */
export interface Facts {
  readonly dataset: { readonly title: string; readonly description: string } | null;
  readonly publisher: Party | null;
  readonly contact: Party | null;
  readonly licence: Party | null;
  readonly source: Party | null;
  readonly keywords: readonly string[];
  readonly updates: string;
  readonly issued: string;
  readonly lastChange: string;
  /** An empty text means that the period is open on this side. */
  readonly period: { readonly from: string; readonly to: string } | null;
  readonly area: Area | null;
}

export interface Area {
  /** West, south, east and north in degrees; null if they are unknown. */
  readonly box: readonly [string, string, string, string] | null;
  /** The place's address. */
  readonly place: string;
}

/** Reads `about` from `datastore_info`. */
export function factsOf(about: JsonObject): Facts {
  const part = <T>(name: string, read: (one: JsonObject) => T): T | null =>
    about[name] === undefined ? null : read(object(about[name]));
  return {
    dataset: part('dataset', ({ title, description }) => ({ title: text(title), description: text(description) })),
    publisher: part('publisher', party),
    contact: part('contact', party),
    licence: part('licence', party),
    source: part('source', party),
    keywords: texts(about.keywords),
    updates: text(about.updates),
    issued: text(about.issued),
    lastChange: text(about.last_change),
    period: part('period', ({ from, to }) => ({ from: text(from), to: text(to) })),
    area: part('area', ({ bbox, place }) => ({ box: boxOf(bbox), place: text(place) })),
  };
}

const party = ({ name, title, url, email }: JsonObject): Party => ({
  title: text(name) || text(title),
  url: text(url),
  email: text(email),
});

function boxOf(bbox: Json | undefined): Area['box'] {
  const [west, south, east, north] = list(bbox).map(textOf);
  return west && south && east && north ? [west, south, east, north] : null;
}
