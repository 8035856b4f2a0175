/** Writing, loaded when somebody begins to write. */
export { Add } from './add.tsx';
export { RecordForm } from './record-form.tsx';
export { RemoveRecord } from './remove-record.tsx';
