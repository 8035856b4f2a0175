import type { Bounds } from '../actions/action.ts';
import type { Settings } from '../config/assemble.ts';
import { sealing } from './seal.ts';

/** The limits on actions, and the encryption for their page cursors, with `secret`. */
export function boundsOf({ limits, server }: Settings, secret: string | Uint8Array): Bounds {
  const older = server.compat === '2.11' ? { actions: `${server.basePath}/api/3/action` } : null;
  return { ...limits, sealing: sealing(secret), older };
}
