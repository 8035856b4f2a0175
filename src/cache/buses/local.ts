import type { Join } from './bus.ts';

/** The bus of a gateway that is one process: there is nobody to tell. */
export const local: Join = async () => ({ tell: async () => undefined });
