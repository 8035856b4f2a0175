import { inflateRawSync } from 'node:zlib';

/** The entries of a zip file by their paths, read from its central directory. Throws if an entry has another length than it says. */
export function unzip(file: Buffer): ReadonlyMap<string, string> {
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const entries = new Map<string, string>();
  let at = file.readUInt32LE(end + 16);
  for (let count = file.readUInt16LE(end + 10); count > 0; count--) {
    const [compressed, length] = [file.readUInt32LE(at + 20), file.readUInt32LE(at + 24)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => file.readUInt16LE(at + offset));
    const header = file.readUInt32LE(at + 42);
    const start = header + 30 + file.readUInt16LE(header + 26) + file.readUInt16LE(header + 28);
    const content = inflateRawSync(file.subarray(start, start + compressed));
    const path = file.toString('utf8', at + 46, at + 46 + (name ?? 0));
    if (content.length !== length) throw new Error(`${path} has ${content.length} bytes, not ${length}`);
    entries.set(path, content.toString());
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return entries;
}

/** The rows of a sheet: the content of each cell as it stands in the XML; null for an empty one. */
export const cellsOf = (sheet: string): (string | null)[][] =>
  Array.from(sheet.matchAll(/<row>(.*?)<\/row>/gs), ([, row = '']) =>
    Array.from(row.matchAll(/<c\/>|<c[ >].*?(?:<v>|<t [^>]*>)(.*?)<\/[vt]>.*?<\/c>/gs), ([, value]) => value ?? null),
  );
