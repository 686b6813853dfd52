import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { DiagnosticCode } from '../diagnostics/catalogue.ts';
import { decodeReference } from '../json/pointer.ts';
import { splitReference } from '../json/split-reference.ts';

/** The reason why a file is not opened. */
export interface Refusal {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** Absent if the default help of the code suffices. */
  readonly help?: string;
}

/**
 * Returns the absolute path that a relative reference in the file `from` names, or the reason why it is refused. Opens
 * no file.
 */
export function toPath(from: string, uri: string): { readonly path: string } | Refusal {
  if (/^file:/iu.test(uri)) return escaping(uri);
  // A single letter is a Windows drive, not a scheme.
  if (/^[a-z][a-z0-9+.-]+:/iu.test(uri) || uri.startsWith('//')) {
    return {
      code: 'remote-reference',
      message: `\`${uri}\` is not a file of the contract.`,
    };
  }
  const decoded = decodeReference(uri);
  if (isAbsolute(decoded) || /^(?:[a-z]:|[\\/])/iu.test(decoded) || decoded.includes('\0')) {
    return escaping(uri);
  }
  return { path: resolve(dirname(from), decoded) };
}

/** Returns a path as a relative reference in the file `from`. */
export function toRelativeReference(from: string, path: string): string {
  const way = relative(dirname(from), path).split(sep).map(encodeURIComponent).join('/');
  return way.startsWith('../') ? way : `./${way}`;
}

/** Rewrites a reference in the file `from` for the file `to`. Returns a refused reference unchanged. */
export function moveReference(reference: string, from: string, to: string): string {
  const { uri } = splitReference(reference);
  const target = uri === '' ? { path: from } : toPath(from, uri);
  return 'path' in target
    ? `${toRelativeReference(to, target.path)}${reference.slice(uri.length)}`
    : reference;
}

/** Returns the refusal of a file outside the contract's folder. */
export function escaping(uri: string): Refusal {
  return {
    code: 'escaping-reference',
    message: `\`${uri}\` is outside the contract's folder.`,
  };
}
