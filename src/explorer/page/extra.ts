/** The parts of the page that are loaded on demand. They share one entry: separate ones would be split into many small files. */
export { ApiPanel } from './code/api-panel.tsx';
export { ColumnsForm } from './find/columns-form.tsx';
export { DownloadForm } from './find/download-form.tsx';
export { FilterForm } from './find/filter-form.tsx';
export { TokenForm } from './parts/token-form.tsx';
export { Record } from './record/record.tsx';
