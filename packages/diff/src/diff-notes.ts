import type { Pointer } from 'countersign';
import { isSameJson } from 'countersign/companion/values';
import type { ContractChange, CreateChange } from './change.ts';
import { diffValues } from './diff-items.ts';

/** A part of a contract with texts for readers. */
export interface DescribedPart {
  readonly pointer: Pointer;
  readonly source: readonly string[];
  readonly deprecated?: boolean;
  readonly summary?: string;
  readonly description?: string;
  readonly notes?: readonly string[];
}

/** Yields the changes of deprecation, descriptions and citations. */
export function* diffNotes(
  base: DescribedPart,
  head: DescribedPart,
  create: CreateChange,
): Generator<ContractChange> {
  if (base.deprecated !== true && head.deprecated === true)
    yield create('deprecated', 'It is deprecated.');
  if (base.deprecated === true && head.deprecated !== true)
    yield create('deprecation-withdrawn', 'It is no longer deprecated.');
  const texts = (['summary', 'description', 'notes'] as const).filter(
    (text) => !isSameJson(base[text], head[text]),
  );
  if (texts.length > 0) yield create('documentation-changed', `${texts.join(', ')} changed.`);
  yield* diffValues(create, [['citation-changed', '`x-source`', base.source, head.source]]);
}
