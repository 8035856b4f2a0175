import type { DownloadFormat } from './format.ts';
import { longInJson } from './objects.ts';
import { columnsOf } from './objects-bytes.ts';

/** A number as JSON spells it. The coordinates may come from a text column, which can hold anything. */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * GeoJSON (RFC 7946) with a line for each record. The last two columns are longitude and latitude, which become the geometry; the columns
 * before them become the properties. Coordinates keep all digits that the database has.
 */
export const geojson: DownloadFormat = {
  mediaType: 'application/geo+json',
  bom: false,
  isJson: true,
  format(fields, encoders) {
    const properties = columnsOf(fields.slice(0, -2), encoders);
    const [longitude, latitude] = [fields.length - 2, fields.length - 1];
    // A text column cannot be the `id`: `long` would replace a very long text's stand-in only once, but it would appear twice.
    const id = properties.find(({ index, encoder }) => fields[index]?.id === '_id' && encoder.long === undefined);
    return {
      head: '{"type":"FeatureCollection","features":[',
      row(cells) {
        const shown = (index: number) => encoders[index]?.plain(cells[index] ?? null) ?? '';
        const [east, north] = [shown(longitude), shown(latitude)];
        const point =
          isWithin(east, 180) && isWithin(north, 90) ? `{"type":"Point","coordinates":[${east},${north}]}` : 'null';
        const feature = id === undefined ? '' : `"id":${id.encoder.json(cells[id.index] ?? null)},`;
        let text = `\n{"type":"Feature",${feature}"geometry":${point},"properties":{`;
        for (const { index, encoder, prefix } of properties) text += prefix + encoder.json(cells[index] ?? null);
        return `${text}}}`;
      },
      between: ',',
      tail: '\n]}\n',
      long: longInJson,
    };
  },
};

const isWithin = (text: string, most: number): boolean => number.test(text) && Math.abs(Number(text)) <= most;
