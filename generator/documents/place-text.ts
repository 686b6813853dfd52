import type { Pointer } from '../json/pointer.ts';
import type { Documents } from './documents.ts';

/** Returns the place of a value in the files of the contract as `file:line`, for the comments of generated code. */
export function placeText(documents: Documents, pointer: Pointer): string | undefined {
  const { file, line } = documents.locate(pointer);
  return file === '' ? undefined : `${file}:${line}`;
}
