/** The entry of the editing code. It is loaded when the user starts to edit. */
export { Add, Import } from './add.tsx';
export { EditBar } from './edit-bar.tsx';
export { RecordForm } from './record-form.tsx';
export { RemoveMarked, RemoveRecord } from './remove.tsx';
