import type { _Code } from 'ajv/dist/compile/codegen/code.js';
import type * as codegen from 'ajv/dist/compile/codegen/index.js';
import type * as dataType from 'ajv/dist/compile/validate/dataType.js';
import type * as util from 'ajv/dist/compile/util.js';
import type core from 'ajv/dist/core.js';
import type { KeywordCxt } from 'ajv/dist/core.js';
import type anyOf from 'ajv/dist/vocabularies/applicator/anyOf.js';
import type oneOf from 'ajv/dist/vocabularies/applicator/oneOf.js';
import type prefixItems from 'ajv/dist/vocabularies/applicator/prefixItems.js';
import type vocabularies from 'ajv/dist/vocabularies/draft2020.js';

/** The parts of Ajv that the toolkit uses. No other file loads Ajv. */
export interface AjvLibrary {
  readonly Core: typeof core.default;
  readonly KeywordCxt: typeof KeywordCxt;
  readonly vocabularies: typeof vocabularies.default;
  readonly codegen: typeof codegen;
  readonly Text: typeof _Code;
  readonly util: typeof util;
  readonly getJSONTypes: typeof dataType.getJSONTypes;
  readonly anyOf: typeof anyOf.default;
  readonly oneOf: typeof oneOf.default;
  readonly prefixItems: typeof prefixItems.default;
}
