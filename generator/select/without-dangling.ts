import {
  createDiagnostic,
  type Diagnostic,
  locationKey,
  sortDiagnostics,
} from '../diagnostics/diagnostic.ts';
import type { Consequence } from '../diagnostics/consequences.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Cursor } from '../json/cursor.ts';
import { isJsonObject } from '../json/json.ts';
import { type Pointer, pointerDocument, pointerMembers, toPointer } from '../json/pointer.ts';
import { vocabularyDocuments } from '../documents/declared-vocabulary.ts';
import type { Documents } from '../documents/documents.ts';
import { cursorAt, placesOf } from '../documents/places.ts';
import type { ObjectKind } from '../specification/object-grammar.ts';
import type { Place } from '../specification/walk.ts';
import { acceptAnything } from './accept-anything.ts';
import { containing } from './containing.ts';
import { isDangling } from './dangling-references.ts';
import { prune } from './prune.ts';
import { unreachedParts } from './reach.ts';
import { adaptToPart, withUnits } from './selected-part.ts';
import { takesSecurity, type Unit, unitsOf } from './units.ts';

/** The diagnostics about references without a target. One that leaves the contract's folder stays an error. */
const codes: ReadonlySet<string> = new Set(['unresolved-reference', 'remote-reference']);

/** Returns whether a diagnostic is about a reference that costs what needs its target, and not the whole contract. */
export function isDanglingCode(code: string): boolean {
  return codes.has(code);
}

/** The kinds of objects that others can do without. */
const dispensable: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  'link',
  'example',
  'message-example',
  'invalid-example',
  'header',
  'tag',
  'external-docs',
  'correlation-id',
  // The call is the same without it, and its notifications are unknown.
  'callback',
]);

/** A reference without a target, and what it costs. */
interface Dangling {
  /** The object that the reference replaces or is in, or the example that is in the missing file. */
  readonly place: Place;
  /** Where the reference is written. */
  readonly pointer: Pointer;
  readonly cost: 'schema' | 'member' | 'mapping' | 'unit';
}

/**
 * Returns documents without what needs a target that does not exist. A schema accepts any value instead, a member that
 * others can do without is left out, such as an entry of a discriminator's `mapping`, and so is every operation and notification that any other reference concerns. A warning
 * for each reference names what it costs. Documents with `x-countersign: 1` are returned unchanged, with their errors.
 */
export function withoutDangling(
  documents: Documents,
  perspective: 'service' | 'integrator',
): Documents {
  const reported = documents.diagnostics.filter(({ code }) => codes.has(code));
  if (reported.length === 0) return documents;
  const strict = vocabularyDocuments(documents);
  const places = new Set(reported.map(locationKey));
  const isReported = (reference: Dangling): boolean => places.has(locationOf(documents, reference));
  const [inStrict = [], elsewhere = []] = partition(
    danglingIn(documents).filter(isReported),
    (reference) => strict.includes(pointerDocument(reference.pointer)),
  );
  // A file that both documents use can have the reference.
  const kept = new Set(inStrict.map((reference) => locationOf(documents, reference)));
  const lenient = elsewhere.filter((reference) => !kept.has(locationOf(documents, reference)));
  if (lenient.length === 0) return documents;

  const schemas = lenient.filter(({ cost }) => cost === 'schema');
  const wider = acceptAnything(documents, new Set(schemas.map(({ place }) => place.pointer)));
  const described = prune(
    wider,
    lenient.flatMap(({ cost, place, pointer }) =>
      cost === 'member' ? place.pointer : cost === 'mapping' ? pointer : [],
    ),
  );
  const effects = Map.groupBy(lenient, (reference) => locationOf(documents, reference));
  const { left, lost } = withoutUnits(described, perspective, (reference) =>
    effects.has(locationOf(described, reference)),
  );
  const diagnostics = left.diagnostics.map((diagnostic): Diagnostic => {
    const costs = codes.has(diagnostic.code) ? effects.get(locationKey(diagnostic)) : undefined;
    if (costs === undefined) return diagnostic;
    const { pointer } = diagnostic;
    const until = consequencesOf(costs, lost.get(locationKey(diagnostic)) ?? []);
    return createDiagnostic(diagnostic.code, diagnostic.message, diagnostic, {
      pointer,
      help: diagnostic.help,
      until,
    });
  });
  return { ...left, diagnostics: sortDiagnostics(diagnostics) };
}

/** Removes the units that need a missing target, and the components that are such references themselves. */
function withoutUnits(
  documents: Documents,
  perspective: 'service' | 'integrator',
  isLenient: (reference: Dangling) => boolean,
): {
  readonly left: Documents;
  /** The units that are removed, by the location of the reference. */
  readonly lost: ReadonlyMap<string, readonly Unit[]>;
} {
  const dangling = danglingIn(documents).filter(
    (reference) => reference.cost === 'unit' && isLenient(reference),
  );
  if (dangling.length === 0) return { left: documents, lost: new Map() };
  const units = unitsOf(documents, perspective);
  const needs = new Map(units.map((unit) => [unit, neededBy(documents, unit)]));
  // What an operation contains concerns neither its path nor, for a callback, the operation that has it.
  const boundaries = new Set(units.flatMap((unit) => operationOf(documents, unit)?.pointer ?? []));
  const lost = new Map<string, readonly Unit[]>();
  const removed = new Set<Unit>();
  for (const reference of dangling) {
    const concerned = containing(documents, [reference.place.pointer], (at) => boundaries.has(at));
    const affected = units.filter((unit) => needs.get(unit)?.some((at) => concerned.has(at)));
    const location = locationOf(documents, reference);
    lost.set(location, [...new Set([...(lost.get(location) ?? []), ...affected])]);
    for (const unit of affected) removed.add(unit);
  }
  const kept = new Set(units.filter((unit) => !removed.has(unit)));
  const part =
    removed.size === 0
      ? documents
      : adaptReferences(documents, withUnits(documents, units, kept, unreachedParts(documents)));
  const rest = danglingIn(part).filter(
    (reference) => reference.cost === 'unit' && isLenient(reference),
  );
  const left = prune(
    part,
    rest.map(({ place }) => place.pointer),
  );
  return { left, lost };
}

/** Adapts documents to the part that is left, and keeps the diagnostics about references, which become warnings. */
function adaptReferences(documents: Documents, part: Documents): Documents {
  const left = adaptToPart(documents, part);
  const referenceDiagnostics = documents.diagnostics.filter(
    (diagnostic) => codes.has(diagnostic.code) && !left.diagnostics.includes(diagnostic),
  );
  return { ...left, diagnostics: sortDiagnostics([...left.diagnostics, ...referenceDiagnostics]) };
}

/** Returns the places that a unit cannot do without. */
function neededBy(documents: Documents, unit: Unit): readonly Pointer[] {
  const { place, holder, message, callback } = unit;
  const root = cursorAt(documents, `${pointerDocument(place)}#`);
  if (pointerDocument(place) === 'asyncapi') {
    const operation = cursorAt(documents, holder).follow();
    const channel = operation.child('channel').follow();
    return [place, holder, operation, channel, message, message?.follow()].flatMap((at) =>
      typeof at === 'string' ? at : (at?.pointer ?? []),
    );
  }
  const item = (callback?.pathItem ?? cursorAt(documents, holder)).follow();
  const operation = operationOf(documents, unit);
  const own = operation?.child('security');
  const security = (own?.value === undefined && takesSecurity(unit) ? root.child('security') : own)
    ?.items()
    .flatMap((requirement) => requirement.entries().map(([name]) => name));
  return [
    place,
    // A path item that is missing has no operation.
    ...(operation === undefined ? [holder] : [operation.pointer]),
    ...['parameters', 'servers'].map((member) => item.child(member).pointer),
    ...(security ?? []).map((name) =>
      toPointer(root.pointer, 'components', 'securitySchemes', name),
    ),
  ];
}

/** Returns the OpenAPI operation of a unit. */
function operationOf(documents: Documents, { place, holder, callback }: Unit): Cursor | undefined {
  if (pointerDocument(place) === 'asyncapi') return undefined;
  if (callback !== undefined) return cursorAt(documents, place);
  const method = place.slice(holder.length + 1);
  const operation = cursorAt(documents, holder).follow().child(method);
  return isJsonObject(operation.value) ? operation : undefined;
}

/** Returns the references of documents that have no target. */
function danglingIn(documents: Documents): readonly Dangling[] {
  return placesOf(documents).flatMap((place): readonly Dangling[] => {
    const { kind } = place;
    if (isDangling(place)) {
      const { pointer } = place.child('$ref');
      const isSchema = kind === 'schema' || kind === 'multi-format-schema';
      return [
        { place, pointer, cost: isSchema ? 'schema' : dispensable.has(kind) ? 'member' : 'unit' },
      ];
    }
    if (kind === 'discriminator') {
      const mapped = [
        ...place.entries('mapping').map(([, at]) => at),
        place.child('defaultMapping'),
      ];
      return mapped
        .filter((at) => at.text() !== undefined)
        .map(({ pointer }) => ({ place, pointer, cost: 'mapping' }));
    }
    const files = [
      ...(kind === 'example' ? [place.child('externalValue')] : []),
      ...(kind === 'message-example' || kind === 'invalid-example'
        ? ['payload', 'headers'].map((member) => place.child(member, '$ref'))
        : []),
    ];
    return files
      .filter((file) => file.text() !== undefined)
      .map(({ pointer }) => ({ place, pointer, cost: 'member' }));
  });
}

function locationOf(documents: Documents, { pointer }: Dangling): string {
  return locationKey(documents.locate(pointer));
}

/** Returns what follows from references at one location. */
function consequencesOf(costs: readonly Dangling[], lost: readonly Unit[]): readonly Consequence[] {
  const hasUnits = lost.length > 0;
  const kinds = costs
    .filter(({ cost }) => cost === 'member' || (cost === 'unit' && !hasUnits))
    .map(({ place }) => (place.kind === 'reference' ? place.member : place.kind));
  return [
    ...(costs.some(({ cost }) => cost === 'schema') ? ['any value is accepted'] : []),
    ...costs
      .filter(({ cost }) => cost === 'mapping')
      .map(({ place, pointer }) =>
        pointer === place.child('defaultMapping').pointer
          ? 'there is no default'
          : `the value ${quote(pointerMembers(pointer).at(-1) ?? '')} selects no schema`,
      ),
    ...Array.from(new Set(kinds), (kind) => `the ${kind.replaceAll('-', ' ')} is left out`),
    ...(['operation', 'event'] as const).flatMap((kind): readonly Consequence[] => {
      const names = lost.filter((unit) => unit.kind === kind).map((unit) => unit.names[0] ?? '');
      const leftOut = kind === 'operation' ? 'operation' : 'notification';
      return names.length === 0 ? [] : [{ leftOut, names }];
    }),
  ];
}

function partition<T>(
  items: readonly T[],
  isFirst: (item: T) => boolean,
): readonly (readonly T[])[] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
