import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { say } from '../texts/index.ts';
import { firstWords, plainText } from './plain-text.ts';
import { Value } from './value.tsx';

/** Characters that always fill two lines, and the maximum shown after "More". */
const [mostShown, mostCharacters] = [1000, 20_000];

/** The description of a table: two lines, or all of it after a click. */
export function Description({ markdown }: { readonly markdown: string }) {
  const box = useRef<HTMLParagraphElement>(null);
  const [isCut, setCut] = useState(false);
  const [isWhole, setWhole] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || isWhole) return;
    const resized = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight));
    resized.observe(element);
    return () => resized.disconnect();
  }, [isWhole]);
  if (markdown === '') return null;
  return (
    <div class={`description${isWhole ? ' whole' : ''}`}>
      <p ref={box} dir="auto">
        <Value
          value={isWhole ? plainText(markdown, true) : firstWords(markdown, mostShown)}
          words={[]}
          most={mostCharacters}
          hasLines
        />
      </p>
      {isCut && (
        <button type="button" class="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? say.less : say.more}
        </button>
      )}
    </div>
  );
}
