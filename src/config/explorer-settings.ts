/** The settings of the explorer. Pure. */
import { z } from 'zod';
import { choice, flag, label, mapping, maybe, needed, origin, section, setting, text } from './readers.ts';

const layer = mapping({
  file: needed(text('a file of GeoJSON'), 'GeoJSON of lines or polygons, at most 1MB. Everybody may read it.'),
  title: needed(label('a title'), 'Title.'),
});
const tileUrl = 'an https URL with {z}, {x} and {y}, such as https://tiles.example.org/{z}/{x}/{y}.png';
const tiles = mapping({
  // The origin also becomes part of a Content-Security-Policy.
  url: needed(
    text(tileUrl, /^https?:\/\/[^\s/?#@;,'"{}]+\/(?=.*\{z\})(?=.*\{x\})(?=.*\{y\})[^\s"]+$/),
    'URL of the images. Their server learns which area is looked at.',
  ),
  attribution: needed(label('a text'), 'Credit that their licence demands.'),
});

export const explorer = section({
  serve: setting(choice('auto', 'none'), 'auto', 'Whether people get the explorer; none = its addresses do not exist.'),
  edit: setting(flag, true, 'Whether the explorer offers to write records, where a token may.'),
  embed: setting(
    z.union(
      [z.literal('none').transform((): string[] => []), z.array(origin).min(1, 'at least one origin')],
      'none or a list of origins (https://host)',
    ),
    'none',
    'Origins of web pages that may show the explorer in a frame, where it takes no token.',
  ),
  map: section({
    layers: setting(
      z.array(layer, 'a list of layers').max(10, 'at most 10 layers'),
      [],
      'Lines on the map, such as districts.',
    ),
    tiles: maybe(tiles, 'land only', 'Images behind the map, of another server.'),
  }),
});
