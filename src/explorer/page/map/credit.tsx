import { site } from '../ask/site.ts';
import { mapWords as words } from '../texts/index.ts';

/** Credits the sources of land, lines and images. It names the images' host, because that host learns which places the user looks at. */
export function Credit({ isMissing, hasTiles }: { readonly isMissing: boolean; readonly hasTiles: boolean }) {
  const { layers, tiles } = site.map;
  const parts = [
    isMissing ? words.noLand : words.credit,
    ...layers.map(({ title }) => title),
    ...(tiles === null || !hasTiles ? [] : [tiles.attribution, words.tilesFrom(new URL(tiles.url).host)]),
  ];
  return <span class="credit">{parts.join(' · ')}</span>;
}
