/** The toolbar's forms share one file, which is loaded on demand. */
export { ColumnsForm } from './columns-form.tsx';
export { DownloadForm } from './download-form.tsx';
export { FilterForm } from './filter-form.tsx';
