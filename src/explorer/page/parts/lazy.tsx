import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { say } from '../texts/index.ts';

/** A component whose code is loaded on its first render. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Lazy(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(() => loaded);
    useEffect(() => {
      if (Part !== null) return;
      load().then((part) => {
        loaded = part;
        setPart(() => part);
      });
    }, []);
    return Part === null ? <p class="note">{say.loading}</p> : <Part {...props} />;
  };
}
