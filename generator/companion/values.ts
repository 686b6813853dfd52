/** For companions of the same version: JSON values, texts and paths of documents. */
export { Cursor } from '../json/cursor.ts';
export { childOf } from '../json/descend.ts';
export { toJsonPath } from '../json/json-path.ts';
export { isJsonObject, optional } from '../json/json.ts';
export {
  escapeMember,
  isWithin,
  pointerDocument,
  pointerMembers,
  toPointer,
} from '../json/pointer.ts';
export { isSameJson, toCanonical } from '../json/same-json.ts';
export { splitReference } from '../json/split-reference.ts';
export { defaultBudgets } from '../load/budgets.ts';
export { pulledMark } from '../load/document-name.ts';
export { commonFolder, isInFolder, toFile } from '../load/file-paths.ts';
export { toRelativeReference } from '../load/reference.ts';
export { parseText } from '../load/text/parse.ts';
export { assertNotLinkedOut } from '../output/within.ts';
export { isSchemaName } from '../specification/schema-grammar.ts';
