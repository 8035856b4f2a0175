/**
 * `Content-Disposition` for a download (RFC 6266). The plain name is made of the id; a title that is not ASCII is given
 * beside it, for those who read RFC 8187.
 */
export function attachment(id: string, title: string, extension: string): string {
  const plain = `attachment; filename="${fileName(id).replace(/[^ !#-[\]-~]/g, '_')}.${extension}"`;
  const fancy = [title, id].find((name) => /[^\0-\x7f]/.test(name));
  return fancy === undefined ? plain : `${plain}; filename*=UTF-8''${encoded(`${fileName(fancy)}.${extension}`)}`;
}

/** No path, no control character, and not longer than file systems take, which count bytes. */
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
