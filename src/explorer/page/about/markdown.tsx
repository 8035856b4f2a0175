import { createElement, type VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { Value } from '../parts/value.tsx';
import { type Prose, type ProseElement, proseOf } from './prose.ts';

/** Renders Markdown as elements of the page. */
export function Markdown({ of }: { readonly of: string }) {
  const prose = useMemo(() => proseOf(of), [of]);
  return (
    <div class="prose" dir="auto">
      {prose.map(node)}
    </div>
  );
}

function node(prose: Prose): VNode {
  return typeof prose === 'string' ? <Text of={prose} /> : created(prose);
}

function created({ tag, children, href, start, isNumber }: ProseElement): VNode {
  const props = {
    ...(href === undefined ? {} : { href, target: '_blank', rel: 'noopener noreferrer' }),
    ...(start === undefined ? {} : { start }),
    ...(isNumber === true ? { class: 'number' } : {}),
    ...(tag === 'th' ? { scope: 'col' } : {}),
  };
  return createElement(tag, props, ...children.map(node));
}

/** A text with its invisible characters made visible. The blanks around it belong to the sentence, and stay blanks. */
function Text({ of }: { readonly of: string }) {
  const inner = of.trim();
  if (inner === '') return <>{of}</>;
  const [before = '', after = ''] = of.split(inner);
  return (
    <>
      {before}
      <Value value={inner} words={[]} most={Number.POSITIVE_INFINITY} hasLines />
      {after}
    </>
  );
}
