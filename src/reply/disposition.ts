/**
 * `Content-Disposition` for a download (RFC 6266). The plain name is made of the id. A title that is not ASCII is added for
 * clients that read RFC 8187.
 */
export function attachment(id: string, title: string, extension: string): string {
  const plain = `attachment; filename="${fileName(id).replace(/[^ !#-[\]-~]/g, '_')}.${extension}"`;
  const fancy = [title, id].find((name) => /[^\0-\x7f]/.test(name));
  return fancy === undefined ? plain : `${plain}; filename*=UTF-8''${encoded(`${fileName(fancy)}.${extension}`)}`;
}

/** A name without path and control characters, within the limit of file systems, which count bytes. */
function fileName(text: string): string {
  const safe = text.toWellFormed().replace(/[/\\\p{Cc}]/gu, '_');
  return [...safe].slice(0, 60).join('');
}

/** `encodeURIComponent` leaves `'()*`, which are no attr-char. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
