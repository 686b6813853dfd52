/** For companions of the same version: texts and paths of documents. */
export { defaultBudgets } from '../load/budgets.ts';
export { pulledMark } from '../load/document-name.ts';
export { commonFolder, isInFolder, toFile } from '../load/file-paths.ts';
export { toRelativeReference } from '../load/reference.ts';
export { parseText } from '../load/text/parse.ts';
export { assertNotLinkedOut } from '../output/within.ts';
export { isSchemaName } from '../specification/schema-grammar.ts';
