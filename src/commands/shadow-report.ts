/** What the running gateway has counted for the resources with a `shadow`, read from its `/metrics`. */
import type { Settings } from '../config/assemble.ts';
import { urlOf } from '../values/http-url.ts';

export interface ShadowReport {
  readonly resource: string;
  /** The upstream's resource id. */
  readonly upstream: string;
  readonly figures: ShadowFigures | { readonly why: string };
}

/** Counts since the gateway started. */
export interface ShadowFigures {
  readonly same: number;
  readonly different: number;
  /** Searches with a difference, by the kind of difference. */
  readonly differences: Readonly<Record<string, number>>;
  /** Searches that were not compared, by the reason. */
  readonly dropped: Readonly<Record<string, number>>;
}

/** Timeout for reading a gateway's metrics. */
const timeoutMs = 2000;

/** The figures for each resource with a shadow. If this file's gateway is not running, there is a reason in their place. */
export async function reportShadows({ resources, admin }: Settings): Promise<readonly ShadowReport[]> {
  const shadowed = [...resources.values()].flatMap(({ name, shadow }) =>
    shadow === null ? [] : [{ resource: name, upstream: shadow.resource ?? name }],
  );
  if (shadowed.length === 0) return [];
  if (admin === null) return shadowed.map((one) => ({ ...one, figures: { why: '`admin` is not set' } }));
  const url = `${urlOf(admin)}/metrics`;
  const text = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).then(
    (answer) => (answer.ok ? answer.text() : null),
    () => null,
  );
  if (text === null) return shadowed.map((one) => ({ ...one, figures: { why: `no gateway answers at ${url}` } }));
  const figures = shadowFigures(text);
  return shadowed.map((one) => ({ ...one, figures: figures(one.resource) }));
}

/** The figures by resource. @param metrics in the text format of Prometheus */
export function shadowFigures(metrics: string): (resource: string) => ShadowFigures {
  const series = Array.from(
    metrics.matchAll(/^gateway_shadow_(?:differences_)?total\{(.*)\} (\d+)$/gm),
    ([, inside, value]) => {
      const labels = Array.from((inside ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, name = '', text]) => [
        name,
        // Prometheus escapes a quotation mark, a backslash and a line break as JSON does.
        String(JSON.parse(`"${text}"`)),
      ]);
      const { resource, result, kind }: Record<string, string | undefined> = Object.fromEntries(labels);
      return { resource, result, kind, count: Number(value) };
    },
  );
  return (resource) => {
    const own = series.filter((one) => one.resource === resource);
    const counts = (label: 'result' | 'kind') =>
      Object.fromEntries(own.flatMap((one) => (one[label] === undefined ? [] : [[one[label], one.count]])));
    const { same = 0, different = 0, ...dropped } = counts('result');
    return { same, different, differences: counts('kind'), dropped };
  };
}

/** The report as a line of text. */
export function shadowLine({ resource, upstream, figures }: ShadowReport): string {
  const head = `shadow of ${resource} by ${upstream}:`;
  if ('why' in figures) return `${head} no figures, because ${figures.why}`;
  const { same, different, differences, dropped } = figures;
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((all, one) => all + one, 0);
  const listed = (counts: Readonly<Record<string, number>>) => {
    const all = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
    return all.length === 0 ? '' : ` (${all.join(', ')})`;
  };
  return `${head} ${same + different} searches compared, ${same} same, ${different} different${listed(differences)}; ${sum(dropped)} not compared${listed(dropped)}`;
}
