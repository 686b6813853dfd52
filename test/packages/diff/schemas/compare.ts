import type { JsonSchema } from '../../../../generator/schema/model.ts';
import type { SchemaIndex } from '../../../../generator/schema/references.ts';
import {
  SchemaComparison,
  type UsedDifference,
} from '../../../../packages/diff/src/schemas/compare-schemas.ts';

/** A schema, and the schemas that it refers to. */
export interface Side {
  readonly definition: JsonSchema;
  readonly schemas?: SchemaIndex;
}

/** Compares two schemas that one user has. */
export function compareSchemas(base: Side, head: Side): readonly UsedDifference<string>[] {
  const { schemas: before = new Map(), definition: was } = base;
  const { schemas: after = new Map(), definition: is } = head;
  const comparison = new SchemaComparison<string>(before, after);
  const at = { pointer: 'openapi#/schema', owner: '', path: '' } as const;
  comparison.add({ schema: was, at }, { schema: is, at }, 'user');
  return comparison.differences();
}
