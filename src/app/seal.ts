import { createCipheriv, createDecipheriv, hash as digest, hkdfSync, randomBytes } from 'node:crypto';
import type { Sealing } from '../model/http.ts';

/** SHA-256 in hex, which is how settings hold tokens. */
export const hash = (token: string): string => digest('sha256', token, 'hex');

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts with AES-256-GCM and a key derived from `secret`. Decrypting a string needs the `purpose` it was encrypted for. */
export function sealing(secret: string | Uint8Array): Sealing {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'datastore-gateway after', 32));
  return {
    seal(text, purpose) {
      const iv = randomBytes(ivBytes);
      const sealer = createCipheriv(cipher, key, iv).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([sealer.update(text, 'utf8'), sealer.final()]);
      return Buffer.concat([iv, sealer.getAuthTag(), sealed]).toString('base64url');
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < ivBytes + tagBytes) return null;
      const opener = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      try {
        return opener.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + opener.final('utf8');
      } catch {
        return null;
      }
    },
  };
}
