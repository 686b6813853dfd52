import { pointerMembers } from '../../json/pointer.ts';
import { type OperationPlace, ownKey } from '../../specification/operation-places.ts';
import { toTypeName } from '../names.ts';

/**
 * Returns the names that the inline schemas of operations begin with. If several keys refer to one path item, its
 * operations are lowered several times, but their schemas once: these are named after the place of the path item.
 * @param typeNames the names of the operations in types
 * @param idOf returns the id of an operation with its own key
 */
export function namesOfSchemas(
  places: readonly OperationPlace[],
  typeNames: readonly string[],
  idOf: (place: OperationPlace) => string,
): readonly string[] {
  const atOwnKey = new Map(
    places.flatMap((place, index) => {
      const isReferring = (place.sharedName ?? place.key) !== ownKey(place);
      return isReferring || isComponent(place)
        ? []
        : [[place.operation.pointer, typeNames[index]] as const];
    }),
  );
  return places.map(
    (place) =>
      atOwnKey.get(place.operation.pointer) ?? toTypeName(idOf({ ...place, key: ownKey(place) })),
  );
}

function isComponent({ pathItem }: OperationPlace): boolean {
  return pointerMembers(pathItem.pointer)[1] === 'pathItems';
}
