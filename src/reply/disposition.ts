/**
 * `Content-Disposition` for a download (RFC 6266). The ASCII file name is derived from the id. If the title or the id is not ASCII, we add a
 * second name, encoded as RFC 8187 says.
 */
export function attachment(id: string, title: string, extension: string): string {
  const asciiName = `attachment; filename="${fileName(id).replace(/[^ !#-[\]-~]/g, '_')}.${extension}"`;
  const unicodeName = [title, id].find((name) => /[^\0-\x7f]/.test(name));
  return unicodeName === undefined
    ? asciiName
    : `${asciiName}; filename*=UTF-8''${encoded(`${fileName(unicodeName)}.${extension}`)}`;
}

/** A file name without slashes or control characters, short enough for the file systems' limit of 255 bytes. */
function fileName(text: string): string {
  const safe = text.toWellFormed().replace(/[/\\\p{Cc}]/gu, '_');
  return [...safe].slice(0, 60).join('');
}

/** Percent-encodes a text for RFC 8187, where `'()*` must be encoded, too. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
