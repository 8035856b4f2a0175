const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML, also within a quoted attribute. */
export const inHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? '');
