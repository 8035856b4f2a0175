const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The text as HTML shows it, also within an attribute in quotes. */
export const inHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? '');
