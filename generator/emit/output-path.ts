import { isDeviceName } from '../contract/file-name.ts';
import { OutputError } from './output-error.ts';

/** The manifest in the output folder, which lists the generated files and is committed with them. */
export const manifestPath = '.manifest.json';
/** The prefix of the name of a staging folder, which has files before they are moved into place. */
export const stagingPrefix = '.staging-';
/** The prefix of the name of a file that claims the lock of the output folder. */
export const lockPrefix = '.lock-';

// Windows does not allow these characters, and a control character in a name has no legitimate use.
// oxlint-disable-next-line no-control-regex -- no file name may have one
const forbiddenCharacter = /[\u0000-\u001f\u007f<>:"|?*]/u;
/** The maximum length of a name in bytes, on common file systems. */
const maxNameBytes = 255;

/** Returns whether a name, at any depth, belongs to build tools: such files are neither generated nor orphans. */
export function isBuildOutput(name: string): boolean {
  const folded = name.toLowerCase();
  return folded === 'dist' || folded === 'node_modules' || folded.endsWith('.tsbuildinfo');
}

/** Returns whether a name at the top of the output folder is reserved for the toolkit's own files. */
export function isBookkeeping(name: string): boolean {
  const folded = name.toLowerCase();
  return (
    folded === manifestPath || folded.startsWith(stagingPrefix) || folded.startsWith(lockPrefix)
  );
}

/**
 * Checks that every path stays in the output folder and names a distinct file on every file system.
 * @throws OutputError `escaping-path`, `invalid-path` or `duplicate-path`
 */
export function assertOutputPaths(paths: readonly string[]): void {
  for (const path of paths) assertOutputPath(path);
  assertDistinctPaths(paths);
}

/**
 * Checks that every path names a distinct file on every file system.
 * @throws OutputError `duplicate-path`
 */
export function assertDistinctPaths(paths: readonly string[]): void {
  const spelling = new Map<string, { readonly path: string; readonly isFile: boolean }>();
  const enter = (path: string, isFile: boolean): void => {
    const folded = path.normalize('NFC').toLowerCase();
    const other = spelling.get(folded);
    if (other === undefined) {
      spelling.set(folded, { path, isFile });
      const end = path.lastIndexOf('/');
      if (end > 0) enter(path.slice(0, end), false);
    } else if (other.path !== path || other.isFile || isFile) throw collision(other.path, path);
  };
  for (const path of paths) enter(path, true);
}

function collision(first: string, second: string): OutputError {
  const message =
    first === second
      ? `${quote(first)} was produced twice.`
      : `${quote(first)} and ${quote(second)} are the same path on file systems that ignore case.`;
  return new OutputError('duplicate-path', message);
}

/**
 * Checks that a path stays in the output folder and can be created on every file system.
 * @throws OutputError `escaping-path` or `invalid-path`
 */
export function assertOutputPath(path: string): void {
  const refuse = (code: 'escaping-path' | 'invalid-path', why: string): never => {
    throw new OutputError(code, `The output path ${quote(path)} is refused: ${why}.`);
  };
  if (path === '') refuse('invalid-path', 'it is empty');
  if (!path.isWellFormed()) refuse('invalid-path', 'it is not well-formed Unicode');
  if (path.includes('\\')) refuse('escaping-path', 'it contains a backslash');
  if (path.startsWith('/') || /^[a-z]:/iu.test(path)) refuse('escaping-path', 'it is absolute');
  const names = path.split('/');
  if (isBookkeeping(names[0] ?? '')) refuse('invalid-path', 'the name is reserved for the toolkit');
  for (const name of names) {
    if (name === '..' || name === '.') refuse('escaping-path', `it contains ${quote(name)}`);
    if (name === '') refuse('invalid-path', 'it contains an empty name');
    if (forbiddenCharacter.test(name)) refuse('invalid-path', 'it contains a forbidden character');
    if (/[. ]$/u.test(name)) refuse('invalid-path', 'a name in it ends with a dot or a space');
    if (isDeviceName(name)) refuse('invalid-path', `${quote(name)} is a device on Windows`);
    if (name.toLowerCase() === '.git') refuse('invalid-path', 'the name is reserved for git');
    if (isBuildOutput(name)) refuse('invalid-path', `${quote(name)} is reserved for build tools`);
    if (Buffer.byteLength(name) > maxNameBytes) refuse('invalid-path', 'a name in it is too long');
  }
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
