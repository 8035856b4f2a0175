/** The toolbar's forms, loaded when one of them is opened. */
import { lazy } from '../parts/lazy.tsx';

export const FilterForm = lazy(async () => (await import('./forms.ts')).FilterForm);
export const ColumnsForm = lazy(async () => (await import('./forms.ts')).ColumnsForm);
export const DownloadForm = lazy(async () => (await import('./forms.ts')).DownloadForm);
