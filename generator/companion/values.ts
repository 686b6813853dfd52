/** For companions of the same version: JSON values. */
export { Cursor } from '../json/cursor.ts';
export { childOf } from '../json/descend.ts';
export { toJsonPath } from '../json/json-path.ts';
export { isJsonObject, optional, pick, textsIn } from '../json/json.ts';
export {
  escapeMember,
  isWithin,
  pointerDocument,
  pointerMembers,
  toPointer,
} from '../json/pointer.ts';
export { isSameJson, toCanonical } from '../json/same-json.ts';
export { splitReference } from '../json/split-reference.ts';
