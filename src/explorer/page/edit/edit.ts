/** Writing, loaded when an edit begins. */
export { Add } from './add.tsx';
export { RecordForm } from './record-form.tsx';
export { RemoveMarked, RemoveRecord } from './remove.tsx';
