/** The parts of the page that are not there at first. They are loaded together: as single files they would share many small ones. */
export { ApiPanel } from './code/api-panel.tsx';
export { ColumnsForm } from './find/columns-form.tsx';
export { DownloadForm } from './find/download-form.tsx';
export { FilterForm } from './find/filter-form.tsx';
export { TokenForm } from './parts/token-form.tsx';
export { Record } from './record/record.tsx';
