import type { Problem } from './problem.ts';

/**
 * What generation makes of a place that breaks the specification, as the end of a sentence; undefined where it cannot be
 * told what the contract means there. For contracts that were written for other tools, which let it pass.
 */
export function readPast({ code, message }: Problem): string | undefined {
  if (code === 'invalid-schema') return 'the keyword is read as far as it says anything';
  for (const [pattern, until] of harmless) if (pattern.test(message)) return until;
  return undefined;
}

const harmless: readonly (readonly [RegExp, string])[] = [
  [/^Property `.*` is not expected here/su, 'it is not looked at'],
  [/^Duplicate tag name found/u, 'both are one tag'],
  [/^Don't put query string items in the path/u, 'they are sent as they are written'],
  [
    /^The field `(?:description|responses|title|url|scopes|tokenUrl|authorizationUrl|name|version|license|mapping|summary|operationRef|schema)` must be present/u,
    'nothing is said about it',
  ],
];
