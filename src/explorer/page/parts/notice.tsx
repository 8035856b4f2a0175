import type { ComponentChildren } from 'preact';

export interface NoticeProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A card above the records that says why there are none to show. */
export function Notice({ title, children }: NoticeProps) {
  return (
    <section class="notice" role="status">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
