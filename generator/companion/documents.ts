/** For companions of the same version: JSON values, documents and files. */
export { splitReference } from '../json/split-reference.ts';
export { defaultBudgets } from '../load/budgets.ts';
export { pulledMark } from '../load/document-name.ts';
export { toRelativeReference } from '../load/reference.ts';
export { parseText } from '../load/text/parse.ts';
export { assertNotLinkedOut } from '../output/within.ts';
export { isSchemaName } from '../specification/schema-grammar.ts';
