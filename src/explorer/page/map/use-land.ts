import { useEffect, useState } from 'preact/hooks';
import { type Camera, type Size, zoomOf } from './camera.ts';
import { type Land, loadLand } from './land.ts';

/** At this zoom and above, the land has more detail. */
const fineFrom = 4;

export interface LandState {
  readonly land: Land | null;
  /** Whether the land failed to load, so that the records are shown without it. */
  readonly isMissing: boolean;
}

/** The land for a camera. It is coarse until the finer land is loaded. */
export function useLand(camera: Camera | null, size: Size | null): LandState {
  const [state, setState] = useState<LandState & { readonly of: string }>({ land: null, isMissing: false, of: '' });
  const shows = camera?.shows ?? null;
  const isFine = camera !== null && size !== null && zoomOf(camera, size) >= fineFrom;
  useEffect(() => {
    if (shows === null) return;
    let isOver = false;
    const show = async (detail: 'coarse' | 'fine') => {
      const land = await loadLand(shows, detail).catch(() => null);
      if (!isOver) setState({ land, isMissing: land === null, of: shows });
    };
    void show('coarse').then(() => (isFine ? show('fine') : undefined));
    return () => {
      isOver = true;
    };
  }, [shows, isFine]);
  return state.of === shows ? state : { land: null, isMissing: false };
}
