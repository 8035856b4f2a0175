import sheet from 'sheet:parts.css';
import type { ComponentType } from 'preact';
import { lazy } from '../parts/lazy.tsx';

let styled: Promise<void> | null = null;

/** Adds the style of all parts to the page. Without it the parts are only less beautiful, so a failure is ignored. */
const style = (): Promise<void> =>
  new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = new URL(sheet, import.meta.url).href;
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });

/** A tab or panel whose code is loaded on its first render, together with the style of all of them. */
export const part = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> =>
  lazy(async () => {
    styled ??= style();
    const [component] = await Promise.all([load(), styled]);
    return component;
  });
