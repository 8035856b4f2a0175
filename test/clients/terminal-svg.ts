/** Draws what a terminal has shown as an SVG that plays once. */

/** A line of the terminal. */
export interface ShownLine {
  /** Milliseconds since the line before. */
  readonly after: number;
  readonly text: string;
  /** Typed lines have a prompt; outputs of programs and notes about the recording do not. */
  readonly kind: 'typed' | 'output' | 'note';
}

const columns = 104;
const [charWidth, lineHeight, margin] = [8.43, 20, 20] as const;
/** Waits are cut to this length, because a note says how long they took. A command comes as if somebody typed it. */
const [longestWaitMs, typingMs] = [1200, 1000] as const;
const style = `
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; fill: #e6edf3; animation: show 1ms both; }
.typed { fill: #7ee787; } .note { fill: #9da7b3; }
@keyframes show { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { text { animation: none; } }`;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const cut = (text: string) => (text.length > columns ? `${text.slice(0, columns - 1)}…` : text);

/** @param title what somebody hears who does not see the picture */
export function drawTerminal(title: string, lines: readonly ShownLine[]): string {
  let now = 0;
  const texts = lines.map(({ after, text, kind }, nth) => {
    now += kind === 'typed' ? typingMs : Math.min(after, longestWaitMs);
    const place = `x="${margin}" y="${margin + (nth + 0.75) * lineHeight}"`;
    const words = cut(kind === 'typed' ? `$ ${text}` : text);
    return `<text ${place} class="${kind}" style="animation-delay:${Math.round(now)}ms">${escaped(words)}</text>`;
  });
  const [width, height] = [Math.ceil(columns * charWidth) + 2 * margin, lines.length * lineHeight + 2 * margin];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${style}
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${texts.join('\n')}
</svg>
`;
}
