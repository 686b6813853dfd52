import type { Catalogue } from './catalogue.ts';
import { decide, type Readable } from './decision.ts';
import {
  decodeFields,
  mergeFields,
  splitPairs,
  type DecodedFields,
  type Field,
  type KindFields,
  type Pairs,
} from './fields.ts';
import {
  decodeUtf8,
  looksLikeJson,
  looksLikeXml,
  parseBody,
  withoutByteOrderMark,
  type ParsedBody,
  type ParseRules,
} from './parse-body.ts';

/**
 * Reads the data of a delivery: JSON, or the form or the query of the kinds that it can have. A body that begins as JSON
 * is read as JSON, whatever the headers say, because a signature covers the body and may not cover them. Never throws.
 * @param label the kinds of the label, if the request has one
 */
export function readFields(
  catalogue: Catalogue,
  fields: ReadonlyMap<string, KindFields>,
  from: Readable,
  label: readonly string[] | undefined,
  rules: ParseRules,
): ParsedBody {
  const raw = withoutByteOrderMark(from.raw);
  if (looksLikeJson(raw)) return readJson(raw, fields, catalogue, rules);
  const possible = label ?? [...catalogue.kinds.keys()];
  const place = choosePlace(
    possible.map((kind) => fields.get(kind)?.in),
    raw,
  );
  if (place === undefined) return readJson(raw, fields, catalogue, rules);
  const text = decodeUtf8(raw);
  const pairs = text === undefined ? undefined : splitPairs(place === 'body' ? text : from.query);
  if (text === undefined || pairs === undefined) return { fault: 'not-utf-8', text };
  const kinds = possible.filter((kind) => fields.get(kind)?.in === place);
  const decoded = decodeAs(fields, kinds, pairs, rules, place, text);
  if (decoded.fault !== undefined) return decoded;
  // What only a few of the kinds can be is read once more with their fields: others can have other types.
  const recognizedKinds = decide(catalogue.kindOf, catalogue.reads, from, decoded.value);
  const matchingKinds = kinds.filter((kind) => recognizedKinds.includes(kind));
  const final =
    matchingKinds.length === 0 || matchingKinds.length === kinds.length
      ? decoded
      : decodeAs(fields, matchingKinds, pairs, rules, place, text);
  return final.fault === undefined
    ? { text, value: final.value, exact: final.exact, kinds: canBeIn(fields, possible, place) }
    : final;
}

function readJson(
  raw: Uint8Array,
  fields: ReadonlyMap<string, KindFields>,
  catalogue: Catalogue,
  rules: ParseRules,
): ParsedBody {
  const parsed = parseBody(raw, rules);
  return parsed.fault === undefined ? { ...parsed, kinds: jsonKindsOf(catalogue, fields) } : parsed;
}

/** The kinds that are written as JSON, by the fields of the other kinds: the same list for every delivery. */
const jsonKinds = new WeakMap<ReadonlyMap<string, KindFields>, readonly string[]>();

function jsonKindsOf(
  { kinds }: Catalogue,
  fields: ReadonlyMap<string, KindFields>,
): readonly string[] {
  const possibleKinds = jsonKinds.get(fields) ?? canBeIn(fields, [...kinds.keys()], undefined);
  jsonKinds.set(fields, possibleKinds);
  return possibleKinds;
}

/** Returns the kinds whose data can look like what was read. */
function canBeIn(
  fields: ReadonlyMap<string, KindFields>,
  kinds: readonly string[],
  place: Place | undefined,
): readonly string[] {
  return kinds.filter((kind) => {
    const kindPlace = fields.get(kind)?.in;
    return kindPlace === place || kindPlace === 'any';
  });
}

/** Where data is that is not JSON. */
type Place = 'body' | 'query';

/** Returns where the data is, or `undefined` if it can only be JSON. XML is not a form, in which `<` is encoded. */
function choosePlace(
  places: readonly (KindFields['in'] | undefined)[],
  raw: Uint8Array,
): Place | undefined {
  if (raw.length === 0 && places.includes('query')) return 'query';
  if (places.includes('xml') && looksLikeXml(raw)) return undefined;
  if (places.includes('body')) return 'body';
  return places.every((place) => place === 'query') ? 'query' : undefined;
}

function decodeAs(
  fields: ReadonlyMap<string, KindFields>,
  kinds: readonly string[],
  pairs: Pairs,
  rules: ParseRules,
  place: Place,
  text: string,
): DecodedFields {
  return decodeFields(pairs, fieldsOf(fields, kinds), rules, place === 'body', text);
}

/** The merged fields of several kinds, by the names of the kinds. */
const merged = new WeakMap<
  ReadonlyMap<string, KindFields>,
  Map<string, Readonly<Record<string, Field>>>
>();

function fieldsOf(
  fields: ReadonlyMap<string, KindFields>,
  kinds: readonly string[],
): Readonly<Record<string, Field>> {
  const fieldsByKinds = merged.get(fields) ?? new Map<string, Readonly<Record<string, Field>>>();
  merged.set(fields, fieldsByKinds);
  const key = kinds.join(' ');
  const mergedFields =
    fieldsByKinds.get(key) ?? mergeFields(kinds.flatMap((kind) => fields.get(kind) ?? []));
  fieldsByKinds.set(key, mergedFields);
  return mergedFields;
}
