import { ambiguousKinds, recognize } from '../../recognition/recognize.ts';
import type { RecognizedForm } from '../../recognition/recognition.ts';
import { indexSchemas } from '../../schema/references.ts';
import type { PatternProofs } from '../../patterns/pattern-check.ts';
import type { StatedNotification } from '../complete.ts';
import type { Contract } from '../contract.ts';
import type { ReadNotification } from './notifications.ts';
import { NameRegistry } from '../names.ts';

/**
 * Decides which notification a delivery is, and which ones it can be without a label.
 * @param areDisjoint returns whether no text matches both of two patterns
 */
export function lowerRecognition(
  drafts: readonly ReadNotification[],
  { schemas }: Pick<Contract, 'schemas'>,
  areDisjoint?: PatternProofs['areDisjoint'],
): {
  readonly notifications: readonly (ReadNotification & Pick<StatedNotification, 'ambiguousWith'>)[];
  readonly recognition: Contract['recognition'];
} {
  const recognition = recognize(drafts, recognizedForms(drafts, schemas), areDisjoint);
  const ambiguous = ambiguousKinds(drafts, recognition);
  const notifications = drafts.map((draft) => ({
    ...draft,
    ambiguousWith: ambiguous.get(draft.name) ?? [],
  }));
  return { notifications, recognition };
}

/**
 * Returns the wire variants of all payloads, each once. Variants that are written and converted in the same way are one:
 * nothing but the conditions of the kinds distinguishes their bodies.
 */
function recognizedForms(
  drafts: readonly ReadNotification[],
  schemas: Contract['schemas'],
): readonly RecognizedForm[] {
  const keys = new NameRegistry<string>();
  const index = indexSchemas({ schemas });
  const payloads = Map.groupBy(drafts, ({ payload }) => payload);
  const payloadVariants = Array.from(payloads).flatMap(([payload, all]) =>
    (index.get(payload)?.variants ?? []).map((variant) => ({ payload, variant, all })),
  );
  const alike = Map.groupBy(payloadVariants, ({ variant: { name, when, each, as, rename } }) =>
    JSON.stringify([name, when, each, as, rename]),
  );
  return [...alike.values()].flatMap((variants) => {
    const [first] = variants;
    if (first === undefined) return [];
    const { payload, variant } = first;
    return {
      key: keys.claimFree(variant.name, payload),
      variant,
      schemas: variants.map((payloadVariant) => ({
        name: payloadVariant.variant.schema,
        kinds: payloadVariant.all.map(({ name }) => name),
      })),
      kinds: variants.flatMap(({ all }) => all.map(({ name }) => name)),
    };
  });
}
