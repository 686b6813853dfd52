import type * as code from 'ajv/dist/vocabularies/code.js';
import type length from 'ajv/dist/runtime/ucs2length.js';
import type * as codegen from 'ajv/dist/compile/codegen/index.js';
import type * as util from 'ajv/dist/compile/util.js';
import type core from 'ajv/dist/core.js';
import type anyOf from 'ajv/dist/vocabularies/applicator/anyOf.js';
import type oneOf from 'ajv/dist/vocabularies/applicator/oneOf.js';
import type prefixItems from 'ajv/dist/vocabularies/applicator/prefixItems.js';
import type * as ref from 'ajv/dist/vocabularies/core/ref.js';
import type vocabularies from 'ajv/dist/vocabularies/draft2020.js';

/** The parts of Ajv that the toolkit uses. No other file loads Ajv. */
export interface AjvLibrary {
  readonly Core: typeof core.default;
  readonly vocabularies: typeof vocabularies.default;
  readonly codegen: typeof codegen;
  readonly util: typeof util;
  readonly usePattern: typeof code.usePattern;
  readonly length: typeof length.default;
  readonly callRef: typeof ref.callRef;
  readonly anyOf: typeof anyOf.default;
  readonly oneOf: typeof oneOf.default;
  readonly prefixItems: typeof prefixItems.default;
}
