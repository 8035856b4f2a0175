import sheet from 'sheet:parts.css';
import type { ComponentType } from 'preact';
import { lazy } from '../parts/lazy.tsx';

let styled: Promise<void> | null = null;

/** Adds the style sheet of all on-demand parts to the page. Without it the parts only look plainer, so a failure is ignored. */
const style = (): Promise<void> =>
  new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = new URL(sheet, import.meta.url).href;
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });

/** A tab or panel whose code is loaded on its first render, together with the style sheet of all such parts. */
export const part = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> =>
  lazy(async () => {
    styled ??= style();
    const [component] = await Promise.all([load(), styled]);
    return component;
  });
