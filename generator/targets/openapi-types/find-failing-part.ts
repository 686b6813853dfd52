import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { type Pointer, toPointer } from '../../json/pointer.ts';

/** A path, a webhook or a component of a document. */
interface Part {
  readonly pointer: Pointer;
  readonly holder: readonly string[];
  readonly name: string;
}

/**
 * Returns the path, webhook or component with which a document fails: the document in which all others are empty fails
 * too. Halves the document until one part is left, so it tests a few documents even for thousands of parts. Returns
 * `undefined` if it fails with several parts together only, or without any.
 * @param isFailing returns whether a copy of the document fails; what it throws ends the search
 */
export async function findFailingPart(
  document: JsonObject,
  isFailing: (copy: JsonObject) => Promise<boolean>,
): Promise<Pointer | undefined> {
  const all = partsOf(document);
  const fails = async (kept: readonly Part[]): Promise<boolean> =>
    await isFailing(withOnly(document, all, new Set(kept)));
  // It fails for every document.
  if (await fails([])) return undefined;
  let parts = all;
  while (parts.length > 1) {
    const half = parts.slice(0, Math.ceil(parts.length / 2));
    const otherHalf = parts.slice(half.length);
    if (await fails(half)) parts = half;
    else if (await fails(otherHalf)) parts = otherHalf;
    else return undefined;
  }
  return parts[0]?.pointer;
}

function partsOf(document: JsonObject): readonly Part[] {
  const { components } = document;
  const sections = isJsonObject(components) ? Object.keys(components) : [];
  const holders = [['paths'], ['webhooks'], ...sections.map((section) => ['components', section])];
  return holders.flatMap((holder) =>
    Object.keys(objectAt(document, holder)).map((name) => ({
      pointer: toPointer('openapi#', ...holder, name),
      holder,
      name,
    })),
  );
}

/** Returns a copy in which the parts that are not kept are empty: references to them still have a target. */
function withOnly(
  document: JsonObject,
  parts: readonly Part[],
  kept: ReadonlySet<Part>,
): JsonObject {
  const copy = structuredClone(document);
  for (const part of parts) {
    if (!kept.has(part)) objectAt(copy, part.holder)[part.name] = {};
  }
  return copy;
}

function objectAt(document: JsonObject, members: readonly string[]): Record<string, Json> {
  let value: Json | undefined = document;
  for (const member of members) value = isJsonObject(value) ? value[member] : undefined;
  return isJsonObject(value) ? (value as Record<string, Json>) : {};
}
