/** Writing, loaded when somebody begins to write. */
export { Add } from './add.tsx';
export { RecordForm } from './record-form.tsx';
export { RemoveMarked, RemoveRecord } from './remove.tsx';
