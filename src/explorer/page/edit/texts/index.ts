export { editWords as words } from '../../texts/index.ts';
