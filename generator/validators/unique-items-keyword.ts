import type { CodeKeywordDefinition } from 'ajv';
import { toCanonical } from '../json/same-json.ts';
import type { AjvLibrary } from './ajv-library.ts';

/**
 * Creates a `uniqueItems` keyword for any JSON. The comparison that Ajv uses calls members named `valueOf` and
 * `toString`, so that it throws for objects that have them.
 */
export function uniqueItemsKeyword({
  codegen: { _ },
}: Pick<AjvLibrary, 'codegen'>): CodeKeywordDefinition {
  return {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    code(context) {
      if (context.schema !== true) return;
      const name = {
        ref: hasUniqueItems,
        // From `prepared/` in the folder of this file.
        code: _`require("../unique-items-keyword.js").hasUniqueItems`,
      };
      const check = context.gen.scopeValue('func', name);
      context.pass(_`${check}(${context.data})`);
    },
  };
}

/** Returns whether no two items are the same JSON. */
export function hasUniqueItems(items: readonly unknown[]): boolean {
  return new Set(items.map(toCanonical)).size === items.length;
}
