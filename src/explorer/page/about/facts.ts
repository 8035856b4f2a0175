/** What a table says about itself to people. */
import { type Json, type JsonObject, list, object, text, textOf, texts } from '../ask/json.ts';

/** A person, an organization, a licence, or a source. Empty texts: not known. */
export interface Party {
  readonly title: string;
  readonly url: string;
  readonly email: string;
}

/** The metadata of a table. Null, and empty texts and lists: the configuration does not say. */
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
  /** An empty text: open on this side. */
  readonly period: { readonly from: string; readonly to: string } | null;
  readonly area: Area | null;
}

export interface Area {
  /** West, south, east and north in degrees; null if they are not known. */
  readonly box: readonly [string, string, string, string] | null;
  /** The address of the place. */
  readonly place: string;
}

/** Reads the `about` of `datastore_info`. */
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
