import { createHash } from 'node:crypto';

/** Matches the names of devices on Windows, which no file can have, whatever its extension. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu;

/**
 * The maximum length of a base name in bytes of UTF-8. Common file systems allow 255 for the whole name; the rest is
 * for extensions and for numbers that make equal names unique.
 */
const maxBytes = 200;
/** The number of hexadecimal digits of the hash that makes shortened names unique. */
const hashLength = 10;

/** Returns whether Windows reserves a file name for a device. */
export function isDeviceName(name: string): boolean {
  return deviceName.test(name);
}

/**
 * Returns a base name that every common file system accepts: `aux` becomes `aux_`, and a name that is too long ends
 * with a hash of the whole name. The result depends only on the name, so that additions to a contract do not change it.
 */
export function toSafeFileName(name: string): string {
  if (isDeviceName(name)) return `${name}_`;
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength);
  let kept = '';
  let bytes = hashLength + 1;
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return `${kept}-${hash}`;
}
