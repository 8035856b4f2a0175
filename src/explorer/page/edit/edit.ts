/** The entry of the editing code. It is loaded when the user starts to edit. */
export { Add } from './add.tsx';
export { RecordForm } from './record-form.tsx';
export { RemoveMarked, RemoveRecord } from './remove.tsx';
