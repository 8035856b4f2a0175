/** A text's absolute http, https or mailto address; null for any other text, such as `javascript:alert(1)` or `/path`. */
export function webUrl(written: string): string | null {
  if (!URL.canParse(written)) return null;
  const { protocol, href } = new URL(written);
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : null;
}
