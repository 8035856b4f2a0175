import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { say } from '../texts/index.ts';

/** A component whose code is loaded on its first render. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Lazy(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(() => loaded);
    const [isMissing, setMissing] = useState(false);
    useEffect(() => {
      if (Part !== null) return;
      load().then(
        (part) => {
          loaded = part;
          setPart(() => part);
        },
        () => setMissing(true),
      );
    }, []);
    if (Part !== null) return <Part {...props} />;
    if (!isMissing) return <p class="note">{say.loading}</p>;
    // An upgrade renames the files, so only the page itself knows where they are now.
    return (
      <p class="note" role="alert">
        {say.errors.offline}{' '}
        <button type="button" onClick={() => location.reload()}>
          {say.retry}
        </button>
      </p>
    );
  };
}
