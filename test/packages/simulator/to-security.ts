import type { SecurityRequirement } from 'countersign/kit';

/** Returns alternatives of schemes, given by their ids, as the model has them. */
export function toSecurity(
  alternatives: readonly (readonly string[])[],
): readonly SecurityRequirement[] {
  return alternatives.map((ids) => ids.map((scheme) => ({ scheme, scopes: [] })));
}
