/** For companions of the same version: paths of documents and of what is written. */
export { pulledMark } from '../load/document-name.ts';
export { commonFolder, isInFolder, toFile } from '../load/file-paths.ts';
export { toRelativeReference } from '../load/reference.ts';
export { assertNotLinkedOut } from '../output/within.ts';
