import { useEffect, useState } from 'preact/hooks';
import { type Camera, type Size, zoomOf } from './camera.ts';
import { type Land, loadLand } from './land.ts';

/** From this zoom the land has more detail. */
const fineFrom = 4;

export interface LandState {
  readonly land: Land | null;
  /** Whether the land could not be loaded: the records are shown without it. */
  readonly isMissing: boolean;
}

/** The land for a camera. Until finer land is loaded, the land is coarse. */
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
