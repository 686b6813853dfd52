import { createRequire } from 'node:module';
import type specifications from '@asyncapi/specs';
import type { JsonObject } from '../../json/json.ts';
import { createOwnCheck, type OwnSchemas } from '../../schema/own-schemas.ts';
import type { LocatedProblem } from '../../diagnostics/problem.ts';
import { toProblems } from './schema-errors.ts';

/**
 * Returns the specification's own JSON Schema. Its version is the first patch of a minor version, because patches
 * change no rule.
 */
function asyncapiSchema(version: '3.0.0' | '3.1.0'): OwnSchemas {
  return {
    name: `asyncapi-${version}`,
    draft: 'draft-07',
    schemas() {
      const { schemasWithoutId } = createRequire(import.meta.url)(
        '@asyncapi/specs',
      ) as typeof specifications;
      return new Map([['document', schemasWithoutId[version] as JsonObject]]);
    },
  };
}

/** The schemas of the versions of AsyncAPI that contracts can have: 3.0, then 3.1. */
export const asyncapiSchemas: readonly [OwnSchemas, OwnSchemas] = [
  asyncapiSchema('3.0.0'),
  asyncapiSchema('3.1.0'),
];

const check30 = createOwnCheck(asyncapiSchemas[0]);
const check31 = createOwnCheck(asyncapiSchemas[1]);

/** Validates a bundled AsyncAPI 3 document against the specification's own JSON Schema. */
export function checkAsyncapi(root: JsonObject, version: string): readonly LocatedProblem[] {
  const check = version.startsWith('3.1') ? check31 : check30;
  const errors = check('document', { ...root, asyncapi: version.replace(/\d+$/u, '0') });
  return toProblems(errors, 'invalid-asyncapi');
}
