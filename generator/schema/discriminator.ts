import type { Cursor } from '../json/cursor.ts';
import { isJsonObject } from '../json/json.ts';
import { type Pointer, pointerMembers } from '../json/pointer.ts';
import {
  declaredValues,
  discriminatingProperty,
  mappingTarget,
  selectingValues,
} from './discriminator-values.ts';
import { inheritedDiscriminators, valuesOf } from './inheritance.ts';
import type { JsonSchema } from './model.ts';
import { SchemaNode } from './node.ts';
import { conjunctsAt } from './visit.ts';

/** The property of a union whose value selects an alternative. */
export interface UnionDiscriminator {
  readonly property: string;
  /**
   * Adds to an alternative the values that select it: those that `mapping` leads to it, or else those that it inherits,
   * or else the name of its schema. The alternative of `defaultMapping` gets all other values. An alternative without
   * such a value is returned as it is.
   */
  readonly narrow: (alternative: Cursor, normalized: JsonSchema) => JsonSchema;
}

/**
 * Returns the discriminator of a union: its own, or the one that all its alternatives inherit from a parent. Returns
 * `undefined` for a union without one.
 * @see OpenAPI 3.1, 4.8.25 Discriminator Object, and OpenAPI 3.2, 4.25
 */
export function discriminatorOf(
  union: Cursor,
  alternatives: readonly Cursor[],
): UnionDiscriminator | undefined {
  const property =
    discriminatingProperty(union) ??
    (isJsonObject(union.valueIn('discriminator')) ? undefined : inheritedProperty(alternatives));
  if (property === undefined) return undefined;
  const mapping = Map.groupBy(
    union.entries('discriminator', 'mapping'),
    ([, to]) => mappingTarget(to)?.pointer,
  );
  const defaultTarget = mappingTarget(union.child('discriminator', 'defaultMapping'))?.pointer;
  const targets = new Set(
    alternatives.flatMap((at) => (at.localReference === undefined ? [] : [at.follow().pointer])),
  );
  const inheritedBy = (
    at: Cursor,
  ): ReturnType<typeof inheritedDiscriminators>[number] | undefined =>
    inheritedDiscriminators(at).find((inherited) => inherited.property === property);
  const isDefault = (target: Cursor): boolean =>
    defaultTarget === undefined
      ? inheritedBy(target)?.isDefault === true
      : target.pointer === defaultTarget;
  const valuesFor = (alternative: Cursor): readonly string[] | undefined => {
    const { localReference: reference } = alternative;
    if (reference === undefined) return undefined;
    const target = alternative.follow();
    const inheritedAt = (heir: Pointer): ReturnType<typeof inheritedBy> =>
      inheritedBy(target.document.child(...pointerMembers(heir)));
    const mapped = (mapping.get(target.pointer) ?? []).map(([value]) => value);
    const inherited = inheritedBy(target);
    if (mapped.length === 0 && inherited !== undefined) {
      const heirsOfTargets = new Set(
        inherited.heirs
          .filter((heir) => targets.has(heir))
          .flatMap((heir) => [heir, ...(inheritedAt(heir)?.heirs ?? [])]),
      );
      const heirDiscriminators = inherited.heirs
        .filter((heir) => !heirsOfTargets.has(heir))
        .map(inheritedAt);
      const values = [inherited, ...heirDiscriminators].map((each) => each?.selectingValues);
      return values.includes(undefined)
        ? undefined
        : [...new Set(values.flatMap((each) => each ?? []))];
    }
    const name = componentName(alternative.lookUp(reference));
    return selectingValues(mapped, name, declaredValues(conjunctsAt(alternative), property));
  };
  const defaults = alternatives.filter(
    (at) => at.localReference !== undefined && isDefault(at.follow()),
  );
  const otherValues = defaults.length === 1 ? alternatives.flatMap((at) => valuesOfOthers(at)) : [];
  function valuesOfOthers(at: Cursor): readonly string[] {
    return defaults.includes(at) ? [] : (valuesFor(at) ?? []);
  }
  const isRequiredBy = (part: Cursor): boolean => part.texts('required').includes(property);
  return {
    property,
    narrow(alternative, normalized) {
      if (alternative.localReference === undefined || !isJsonObject(normalized)) return normalized;
      if (new SchemaNode(normalized).has('properties', 'required')) return normalized;
      if (!conjunctsAt(alternative).every(acceptsObjects)) return normalized;
      if (defaults.length === 1 && defaults.includes(alternative)) {
        const other = { not: { enum: otherValues } };
        return otherValues.length === 0
          ? normalized
          : { ...normalized, properties: Object.fromEntries([[property, other]]) };
      }
      const values = valuesFor(alternative);
      if (values === undefined) return normalized;
      const isRequired =
        defaults.length === 1 || [union, ...conjunctsAt(alternative)].some(isRequiredBy);
      return {
        ...normalized,
        properties: valuesOf(property, values),
        ...(isRequired ? { required: [property] } : {}),
      };
    },
  };
}

/** Returns the discriminating property that all alternatives but null inherit; `undefined` where there is none. */
function inheritedProperty(alternatives: readonly Cursor[]): string | undefined {
  const [first, ...rest] = alternatives
    .filter((at) => at.text('type') !== 'null')
    .map((at) => {
      const inherited = at.localReference === undefined ? [] : inheritedDiscriminators(at.follow());
      return inherited.map(({ property }) => property);
    });
  if (first === undefined || rest.length === 0) return undefined;
  return first.find((property) => rest.every((properties) => properties.includes(property)));
}

/** Returns whether the `type` of a schema allows objects, which alone have a property. */
function acceptsObjects({ value }: Cursor): boolean {
  const types = isJsonObject(value) ? new SchemaNode(value).types : undefined;
  return types === undefined || types.includes('object');
}

function componentName({ pointer }: Cursor): string | undefined {
  const [section, kind, name, ...rest] = pointerMembers(pointer);
  const isComponent = section === 'components' && kind === 'schemas' && rest.length === 0;
  return isComponent ? name : undefined;
}
