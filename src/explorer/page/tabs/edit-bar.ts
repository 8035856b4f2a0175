/** The bar in edit mode. It is loaded together with the forms. */
import type { TabProps } from '../parts/tab-props.ts';
import { part } from './part.ts';

export const EditBar = part<TabProps>(async () => (await import('../edit/edit.ts')).EditBar);
