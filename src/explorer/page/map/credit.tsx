import { site } from '../ask/site.ts';
import { mapWords as words } from '../texts/index.ts';

/** Where land, lines and images come from. The host of images is named: it learns what is looked at. */
export function Credit({ isMissing, hasTiles }: { readonly isMissing: boolean; readonly hasTiles: boolean }) {
  const { layers, tiles } = site.map;
  const parts = [
    isMissing ? words.noLand : words.credit,
    ...layers.map(({ title }) => title),
    ...(tiles === null || !hasTiles ? [] : [tiles.attribution, words.tilesFrom(new URL(tiles.url).host)]),
  ];
  return <span class="credit">{parts.join(' · ')}</span>;
}
