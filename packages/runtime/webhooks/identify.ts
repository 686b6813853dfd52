/** Reads the body of a delivery as the contract declares it, identifies its events, and computes their keys. */

import {
  type NodeModules,
  type NumberMode,
  builtinModule,
  essenceOf,
  isExactNumber,
  selectByParameters,
} from '../base/index.ts';
import {
  type BodyContent,
  type BodyFault,
  type Catalogue,
  type Check,
  type Decision,
  type Field,
  type FieldShape,
  type Form,
  type FormCheck,
  type Handler,
  type HeaderLookup,
  type InvalidReason,
  type Kind,
  type KindFields,
  type MaybePromise,
  type NameFault,
  type NormalizationNode,
  type ParseRules,
  type ParsedBody,
  type Read,
  type Readable,
  type Representation,
  type Violation,
  decide,
  mapMaybePromise,
  maxViolations,
  memberAt,
  normalizeValue,
  readValue,
} from './contract.ts';

/**
 * Returns what is wrong with the member names of a parsed JSON value, or `undefined`. `JSON.parse` keeps only the last
 * of several members with one name. A duplicate, however it was escaped, thus makes the count smaller than in the text.
 * @param members the number of members in the text
 */
function faultOfMembers(value: unknown, members: number): NameFault | undefined {
  const count = isContainer(value) ? countMembers(value) : 0;
  if (count < 0) return 'prototype-key';
  return count === members ? undefined : 'duplicate-key';
}

/** Returns the number of members in a value at all levels, or a negative number where a name is forbidden. */
function countMembers(container: object): number {
  let count = 0;
  if (Array.isArray(container)) {
    for (const element of container) if (isContainer(element)) count += countMembers(element);
    return count;
  }
  const record = container as Readonly<Record<string, unknown>>;
  for (const name in record) {
    // oxlint-disable-next-line prefer-object-has-own -- inside `for in`, engines compile this one away
    if (!Object.prototype.hasOwnProperty.call(record, name)) continue;
    const value = record[name];
    if (name === '__proto__' || (name === 'constructor' && holdsPrototype(value)))
      return Number.NEGATIVE_INFINITY;
    count++;
    if (isContainer(value)) count += countMembers(value);
  }
  return count;
}

function holdsPrototype(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsPrototype);
  return isContainer(value) && Object.hasOwn(value, 'prototype');
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Facts about a JSON text that its parsed value no longer shows. */
interface Scan {
  /** The number of members of all objects. */
  readonly members: number;
  /** The nesting depth of objects and arrays. */
  readonly depth: number;
  /** The numbers that no double represents exactly, in their order. */
  readonly inexact: readonly InexactNumber[];
}

/** A number that no double represents exactly. */
interface InexactNumber {
  /** The index of the first byte. */
  readonly start: number;
  readonly literal: string;
}

/**
 * Scans a JSON text in UTF-8 for what `JSON.parse` does not report. Does not check that the text is JSON: `JSON.parse`
 * does.
 */
function scanStrictly(text: Uint8Array): Scan {
  const { length } = text;
  let members = 0;
  let level = 0;
  let depth = 0;
  let inexact: InexactNumber[] | undefined;
  for (let at = 0; at < length; at++) {
    const code = text[at] ?? 0;
    if (code === quote) {
      for (at++; at < length; at++) {
        const unit = text[at];
        if (unit === quote) break;
        if (unit === backslash) at++;
      }
    } else if (code === colon) {
      members++;
    } else if (code === openBrace || code === openBracket) {
      if (++level > depth) depth = level;
    } else if (code === closeBrace || code === closeBracket) {
      level--;
    } else if (code === minus || (code >= zero && code <= nine)) {
      const start = at;
      let hasExponent = false;
      for (at++; at < length; at++) {
        const unit = text[at] ?? 0;
        if (unit === 0x65 || unit === 0x45) hasExponent = true;
        else if (
          !((unit >= zero && unit <= nine) || unit === dot || unit === plus || unit === minus)
        )
          break;
      }
      // A decimal of up to 15 digits is unchanged when it is read from a double.
      if (hasExponent || at - start > 15) {
        const literal = decoder.decode(text.subarray(start, at));
        if (!isExactNumber(literal)) (inexact ??= []).push({ start, literal });
      }
      at--;
    }
  }
  return { members, depth, inexact: inexact ?? noNumbers };
}

/**
 * Parses a JSON text in UTF-8, with a text in place of each inexact number.
 * @param inexact the result of scanning the text
 */
function parseWithTexts(text: Uint8Array, inexact: readonly InexactNumber[]): unknown {
  let quoted = '';
  let done = 0;
  for (const { start, literal } of inexact) {
    quoted += `${decoder.decode(text.subarray(done, start))}"${literal}"`;
    done = start + literal.length;
  }
  return JSON.parse(quoted + decoder.decode(text.subarray(done)));
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const noNumbers: readonly InexactNumber[] = [];
const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const plus = 0x2b;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;

/** Parses a body as UTF-8 and JSON, without a byte order mark. Never throws. */
export function parseBody(received: Uint8Array, rules: ParseRules): ParsedBody {
  const body = withoutByteOrderMark(received);
  const text = decodeUtf8(body);
  if (text === undefined) return { fault: 'not-utf-8' };
  try {
    const value: unknown = JSON.parse(text);
    if (!rules.strict) return { text, value, exact: value };
    const { members, depth, inexact } = scanStrictly(body);
    const fault = depth > rules.maxDepth ? 'too-deep' : faultOfMembers(value, members);
    if (fault !== undefined) return { fault, text };
    return { text, value, exact: inexact.length === 0 ? value : parseWithTexts(body, inexact) };
  } catch (error) {
    return { fault: error instanceof RangeError ? 'too-deep' : 'not-json', text };
  }
}

/** Returns a body without the byte order mark of UTF-8 that some senders write before it. */
export function withoutByteOrderMark(body: Uint8Array): Uint8Array {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}

/** Decodes a body as UTF-8; returns `undefined` if it is not. */
export function decodeUtf8(body: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(body);
  } catch {
    return undefined;
  }
}

/** Returns whether a body or text begins as a JSON object or array. In a form, both characters would be encoded. */
export function looksLikeJson(body: Uint8Array | string): boolean {
  const code = firstCode(body);
  return code === 0x7b || code === 0x5b;
}

/** Returns whether a body begins as XML, also in UTF-16. */
export function looksLikeXml(body: Uint8Array): boolean {
  return firstCode(body[0] === 0 ? body.subarray(1) : body) === 0x3c;
}

/** Returns the first character that is not white space, if there is one. */
function firstCode(body: Uint8Array | string): number | undefined {
  for (const unit of body) {
    const code = typeof unit === 'string' ? unit.charCodeAt(0) : unit;
    if (code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) return code;
  }
  return undefined;
}

/** Keeps a byte order mark in the text: only one, before the body, is skipped. */
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Maximum length of a list of codings. A longer one names more than `identity`. */
const maxCodings = 100;

/** Returns whether a body has a content encoding, such as gzip. It is not decoded: a small body can become a huge one. */
export function isEncoded(headers: HeaderLookup): boolean {
  return headers('content-encoding').some(
    (value) =>
      value.length > maxCodings ||
      value
        .split(',')
        .map((coding) => coding.trim().toLowerCase())
        .some((coding) => coding !== '' && coding !== 'identity'),
  );
}

/** The names and values of a form or a query by name, as they are written; only the names are decoded. */
type Pairs = ReadonlyMap<string, readonly string[]>;

/** The data of a form or a query, or why it is refused. */
type DecodedFields =
  | Extract<ParsedBody, { readonly fault: string }>
  | { readonly fault?: undefined; readonly value: object; readonly exact: object };

/** Splits the text of a form or a query. Returns `undefined` if it is not UTF-8. Never throws. */
function splitPairs(text: string): Pairs | undefined {
  const pairs = new Map<string, string[]>();
  try {
    for (const pair of text.split('&')) {
      if (pair === '') continue;
      const end = pair.indexOf('=');
      const name = decodeText(end < 0 ? pair : pair.slice(0, end));
      const value = end < 0 ? '' : pair.slice(end + 1);
      const values = pairs.get(name);
      if (values === undefined) pairs.set(name, [value]);
      else values.push(value);
    }
    return pairs;
  } catch {
    return undefined;
  }
}

/**
 * Decodes text of a form or a query. Leaves a percent sign without two digits as it is.
 * @throws URIError for bytes that are not UTF-8
 */
function decodeText(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%')
    ? spaced.replaceAll(/(?:%[\da-f]{2})+/giu, (escaped) => decodeURIComponent(escaped))
    : spaced;
}

/**
 * Returns the data of a form or a query: the declared fields as values of their types. A text that represents no such
 * value stays a text, so that its validation reports it. Numbers that no double represents exactly are texts in `exact`.
 * @param isWhole whether other fields are part of the data too, as texts
 * @param text the text of the body, for faults of a body that `onInvalid` gets
 */
function decodeFields(
  pairs: Pairs,
  fields: Fields,
  rules: ParseRules,
  isWhole: boolean,
  text: string,
): DecodedFields {
  try {
    const value = new Reader(pairs, fields, rules, false);
    const data = value.read(isWhole);
    if (!value.hasInexact) return { value: data, exact: data };
    return { value: data, exact: new Reader(pairs, fields, rules, true).read(isWhole) };
  } catch (error) {
    if (error instanceof FieldFault) return { fault: error.fault, text };
    if (error instanceof URIError) return { fault: 'not-utf-8', text };
    throw error;
  }
}

/** A name with brackets: the keys in them. */
interface Bracketed {
  readonly name: string;
  readonly keys: readonly string[];
}

class FieldFault extends Error {
  readonly fault: BodyFault;

  constructor(fault: BodyFault) {
    super(fault);
    this.fault = fault;
  }
}

/** The declared fields of several kinds, and the shape of their other members. */
type Fields = Pick<KindFields, 'fields' | 'others'>;

/** Reads the data of one delivery. */
class Reader {
  readonly #pairs: Pairs;
  readonly #fields: Readonly<Record<string, Field>>;
  readonly #others: FieldShape | undefined;
  readonly #rules: ParseRules;
  readonly #keepsInexact: boolean;
  readonly #read = new Set<string>();
  /** The names with brackets, such as `a[b][c]`, by the name before the brackets. */
  readonly #bracketed = new Map<string, Bracketed[]>();
  hasInexact = false;

  /** @param keepsInexact whether a number that no double represents exactly stays a text */
  constructor(pairs: Pairs, { fields, others }: Fields, rules: ParseRules, keepsInexact: boolean) {
    this.#pairs = pairs;
    this.#fields = fields;
    this.#others = others;
    this.#rules = rules;
    this.#keepsInexact = keepsInexact;
    for (const name of pairs.keys()) {
      const start = name.indexOf('[');
      if (start <= 0 || !name.endsWith(']')) continue;
      const holder = name.slice(0, start);
      if (!Object.hasOwn(fields, holder) && !hasMembers(others)) continue;
      const members = this.#bracketed.get(holder) ?? [];
      members.push({ name, keys: name.slice(start + 1, -1).split('][') });
      this.#bracketed.set(holder, members);
    }
  }

  read(isWhole: boolean): object {
    const members: [name: string, value: unknown][] = [];
    for (const [name, field] of Object.entries(this.#fields)) {
      const value = this.#field(name, field);
      if (value !== undefined) members.push([name, value]);
    }
    if (isWhole) {
      for (const holder of this.#bracketed.keys())
        if (this.#others !== undefined && !Object.hasOwn(this.#fields, holder))
          members.push([holder, this.#field(holder, { shape: this.#others })]);
      for (const [name, texts] of this.#pairs) {
        if (this.#read.has(name)) continue;
        if (this.#others !== undefined) {
          members.push([name, this.#field(name, { shape: this.#others })]);
          continue;
        }
        // What the contract does not declare can be an array.
        const [first = '', ...rest] = texts.map(decodeText);
        members.push([name, rest.length === 0 ? first : [first, ...rest]]);
      }
    }
    return this.#toObject(members);
  }

  #field(name: string, { shape, delimiter, spread }: Field): unknown {
    if (spread && shape.properties !== undefined) return this.#spread(shape.properties);
    const texts = this.#take(name);
    if (texts === undefined) return this.#brackets(name, shape);
    const isArray = shape.types.includes('array');
    const isObject = shape.types.includes('object');
    const [only = ''] = texts;
    if (texts.length > 1) {
      if (!isArray) throw new FieldFault('duplicate-key');
      return texts.map((text) => this.#element(text, shape.items));
    }
    if ((isArray || isObject) && looksLikeJson(decodeText(only))) {
      const json = this.#json(decodeText(only));
      if (json !== undefined && (Array.isArray(json) ? isArray : isObject)) return json;
    }
    const items = delimiter === undefined ? [only] : only.split(delimiters[delimiter]);
    if (isArray) return items.map((text) => this.#element(text, shape.items));
    return isObject && items.length % 2 === 0
      ? this.#named(items, shape)
      : this.#scalar(decodeText(only), shape);
  }

  /** Reads an object that is one text, `R,100,G,200`. */
  #named(items: readonly string[], shape: FieldShape): object {
    const members = new Map<string, unknown>();
    for (let index = 0; index < items.length; index += 2) {
      const name = decodeText(items[index] ?? '');
      if (members.has(name)) throw new FieldFault('duplicate-key');
      members.set(name, this.#scalar(decodeText(items[index + 1] ?? ''), memberOf(shape, name)));
    }
    return this.#toObject([...members]);
  }

  #element(text: string, shape: FieldShape | undefined): unknown {
    const decoded = decodeText(text);
    const isObject = shape?.types.includes('object') === true;
    const json = isObject && looksLikeJson(decoded) ? this.#json(decoded) : undefined;
    return json ?? this.#scalar(decoded, shape);
  }

  #spread(properties: Readonly<Record<string, FieldShape>>): object | undefined {
    const members: [name: string, value: unknown][] = [];
    for (const [name, shape] of Object.entries(properties)) {
      if (Object.hasOwn(this.#fields, name)) continue;
      const value = this.#field(name, { shape });
      if (value !== undefined) members.push([name, value]);
    }
    return members.length === 0 ? undefined : this.#toObject(members);
  }

  /** Reads `name[key]=value` to any depth, and the arrays `name[]=value` and `name[0]=value`. */
  #brackets(holder: string, shape: FieldShape): unknown {
    const fields = this.#bracketed.get(holder);
    if (fields === undefined) return undefined;
    // What the contract declares as a scalar has no members.
    if (!hasMembers(shape)) return undefined;
    if (fields.some(({ keys }) => keys.length >= this.#rules.maxDepth))
      throw new FieldFault('too-deep');
    return this.#nested(holder, fields, shape);
  }

  /**
   * Reads the names that have a part in common.
   * @param holder the last key of that part
   */
  #nested(holder: string, fields: readonly Bracketed[], shape: FieldShape | undefined): unknown {
    const byKey = new Map<string, Bracketed[]>();
    for (const field of fields) {
      const [key = ''] = field.keys;
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [field]);
      else known.push(field);
    }
    const isArray = shape?.types.includes('array') === true;
    const isObject = shape?.types.includes('object') === true;
    const isList = isArray && !isObject;
    if (isList || [...byKey.keys()].every((key) => key === '')) {
      // oxlint-disable-next-line unicorn/no-array-sort -- `toSorted` is not in ES2022, which NestJS applications compile for
      const indices = [...byKey].sort(([a], [b]) => Number(a) - Number(b));
      return indices.flatMap(([key, of]) => {
        const value = this.#member(key, of, shape?.items, key === '');
        return Array.isArray(value) && key === '' ? value : [value];
      });
    }
    return this.#toObject(
      Array.from(byKey, ([key, of]) => {
        if (holder === 'constructor' && key === 'prototype') throw new FieldFault('prototype-key');
        return [key, this.#member(key, of, memberOf(shape, key), false)];
      }),
    );
  }

  /** @param isList whether all values are elements, as in `name[]=a&name[]=b` */
  #member(
    key: string,
    fields: readonly Bracketed[],
    shape: FieldShape | undefined,
    isList: boolean,
  ): unknown {
    const inner = fields.flatMap(({ name, keys: [, ...keys] }) =>
      keys.length === 0 ? [] : [{ name, keys }],
    );
    const [only] = fields;
    if (inner.length > 0 || only === undefined) {
      // A value cannot be a text and have members.
      if (inner.length < fields.length) throw new FieldFault('duplicate-key');
      for (const { name } of fields) this.#read.add(name);
      return this.#nested(key, inner, shape);
    }
    if (isList) return (this.#take(only.name) ?? []).map((text) => this.#element(text, shape));
    return this.#field(only.name, { shape: shape ?? { types: [] } });
  }

  #take(name: string): readonly string[] | undefined {
    const texts = this.#pairs.get(name);
    if (texts !== undefined) this.#read.add(name);
    return texts;
  }

  #json(text: string): unknown {
    const parsed = parseBody(encoder.encode(text), this.#rules);
    if (parsed.fault === 'not-json' || parsed.fault === 'not-utf-8') return undefined;
    if (parsed.fault !== undefined) throw new FieldFault(parsed.fault);
    if (parsed.value !== parsed.exact) this.hasInexact = true;
    return this.#keepsInexact ? parsed.exact : parsed.value;
  }

  /**
   * Returns the value of a text. A number whose schema also allows texts is only one that is written as JavaScript
   * writes it, so that nothing of the text is lost.
   */
  #scalar(text: string, shape: FieldShape | undefined): unknown {
    const types = shape?.types ?? [];
    const allowsText = types.includes('string');
    if (
      (types.includes('number') || types.includes('integer')) &&
      jsonNumber.test(text) &&
      (!allowsText || String(Number(text)) === text)
    ) {
      if (!this.#rules.strict || isExactNumber(text)) return Number(text);
      this.hasInexact = true;
      return this.#keepsInexact ? text : Number(text);
    }
    if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
    if (types.includes('null') && !allowsText && (text === '' || text === 'null')) return null;
    return text;
  }

  #toObject(members: readonly (readonly [name: string, value: unknown])[]): object {
    if (this.#rules.strict && members.some(([name]) => name === '__proto__'))
      throw new FieldFault('prototype-key');
    return Object.fromEntries(members);
  }
}

function hasMembers(shape: FieldShape | undefined): boolean {
  return shape?.types.includes('object') === true || shape?.types.includes('array') === true;
}

/** Returns the shape of a member of an object. */
function memberOf(shape: FieldShape | undefined, name: string): FieldShape | undefined {
  const properties = shape?.properties ?? {};
  return Object.hasOwn(properties, name) ? properties[name] : shape?.others;
}

const encoder = new TextEncoder();
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/iu;

/** How a delimiter is written, itself or encoded. */
const delimiters = { ',': ',', ' ': /%20|\+/u, '|': /\||%7C/iu } as const;

/** Returns the fields of several kinds; a field of several has the types of all. */
function mergeFields(all: readonly KindFields[]): Fields {
  const [first, ...rest] = all;
  const merged = new Map(Object.entries(first?.fields ?? {}));
  for (const { fields } of rest)
    for (const [name, field] of Object.entries(fields)) {
      const mergedField = merged.get(name);
      merged.set(
        name,
        mergedField === undefined
          ? field
          : { ...mergedField, shape: mergeShapes(mergedField.shape, field.shape) },
      );
    }
  const others = all.reduce<FieldShape | undefined>(
    (shape, kind) => mergeOptional(shape, kind.others),
    undefined,
  );
  return { fields: Object.fromEntries(merged), ...(others === undefined ? {} : { others }) };
}

function mergeOptional(
  first: FieldShape | undefined,
  second: FieldShape | undefined,
): FieldShape | undefined {
  return first && second ? mergeShapes(first, second) : (first ?? second);
}

function mergeShapes(first: FieldShape, second: FieldShape): FieldShape {
  const items = mergeOptional(first.items, second.items);
  const others = mergeOptional(first.others, second.others);
  const properties = { ...second.properties, ...first.properties };
  return {
    types: [...new Set([...first.types, ...second.types])],
    ...(items === undefined ? {} : { items }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(others === undefined ? {} : { others }),
  };
}

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
    const { in: kindPlace, isJson = false } = fields.get(kind) ?? {};
    return kindPlace === place || kindPlace === 'any' || (isJson && place === undefined);
  });
}

/** The catalogues of one contract for its combinations of representations, by the positions of these. */
const selected = new WeakMap<Catalogue, Map<string, Catalogue>>();

/**
 * Returns the catalogue in which each kind has the check of the representation that a delivery has. Its bytes decide
 * between JSON and a form, because a signature covers them, and its content type decides between several media types of
 * JSON, also by their parameters. Where that is none of them, any may be it.
 */
export function selectRepresentations(catalogue: Catalogue, from: Readable): Catalogue {
  const isJson = looksLikeJson(withoutByteOrderMark(from.raw));
  const [contentType = ''] = from.headers('content-type');
  const choices = Array.from(catalogue.kinds, ([name, kind]) => {
    const { representations = [] } = kind;
    const possible = representations.filter(
      ({ mediaType }) => (essenceOf(mediaType) === formType) !== isJson,
    );
    const chosen =
      possible.length > 1 ? findRepresentation(possible, contentType) : (possible[0] ?? undefined);
    return { name, kind, chosen, at: chosen === undefined ? -1 : representations.indexOf(chosen) };
  });
  const key = choices.map(({ at }) => at).join(' ');
  const catalogues = selected.get(catalogue) ?? new Map<string, Catalogue>();
  selected.set(catalogue, catalogues);
  const known = catalogues.get(key);
  if (known !== undefined) return known;
  const { select: _, ...rest } = catalogue;
  const kinds = new Map(
    choices.map(({ name, kind, chosen }) => [
      name,
      chosen === undefined ? kind : { ...kind, check: chosen.check },
    ]),
  );
  const made: Catalogue = { ...rest, kinds };
  catalogues.set(key, made);
  return made;
}

const formType = 'application/x-www-form-urlencoded';

/** Returns the representation that a content type has: its media type, by its parameters, or a range that contains it. */
function findRepresentation(
  possible: readonly Representation[],
  contentType: string,
): Representation | undefined {
  const essence = essenceOf(contentType);
  const alike = possible
    .map(({ mediaType }) => mediaType)
    .filter((it) => essenceOf(it) === essence);
  const same = selectByParameters(alike, contentType);
  const ranges = alike.length > 0 ? [] : [`${essence.split('/')[0]}/*`, '*/*'];
  const wanted = same === undefined ? ranges : [same];
  for (const mediaType of wanted) {
    const found = possible.find(
      (it) => it.mediaType === mediaType || essenceOf(it.mediaType) === mediaType,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where data is that is not JSON. */
type Place = 'body' | 'query';

/** Returns where the data is, or `undefined` if it can only be JSON. XML is not a form, in which `<` is encoded. */
function choosePlace(
  places: readonly (KindFields['in'] | undefined)[],
  raw: Uint8Array,
): Place | undefined {
  if (raw.length === 0 && places.includes('query')) return 'query';
  if (looksLikeXml(raw)) return undefined;
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
const merged = new WeakMap<ReadonlyMap<string, KindFields>, Map<string, Fields>>();

function fieldsOf(fields: ReadonlyMap<string, KindFields>, kinds: readonly string[]): Fields {
  const fieldsByKinds = merged.get(fields) ?? new Map<string, Fields>();
  merged.set(fields, fieldsByKinds);
  const key = kinds.join(' ');
  const mergedFields =
    fieldsByKinds.get(key) ?? mergeFields(kinds.flatMap((kind) => fields.get(kind) ?? []));
  fieldsByKinds.set(key, mergedFields);
  return mergedFields;
}

/** The values of a body in the canonical format, and why some or all cannot be converted. */
interface Conversion {
  /** One value for each element; `undefined` for one that cannot be converted. Empty where the body cannot be. */
  readonly elements: readonly unknown[];
  readonly violations: readonly Violation[];
}

/** Converts a body of a wire variant to the canonical format: one value for each element. Members keep their order. */
export function toCanonicalElements(
  body: unknown,
  { each, as, rename, signed = [] }: Form,
): Conversion {
  if (each === undefined) {
    const renamed = renameMembers(body, rename);
    return renamed === undefined
      ? { elements: [], violations: [bothNames('')] }
      : { elements: [putAt(renamed, as, {})], violations: [] };
  }
  const array = memberAt(body, each);
  if (!Array.isArray(array))
    return { elements: [], violations: [{ ...notAnArray, pointer: toPointer(each) }] };
  const rest = without(body, each[0]);
  const [top] = as;
  if (top !== undefined && Object.hasOwn(rest, top))
    return { elements: [], violations: [bothForms] };
  if (array.length * textLength(rest) > maxCopied)
    return { elements: [], violations: [{ ...tooManyElements, pointer: toPointer(each) }] };
  const violations: Violation[] = [];
  const start = toPointer(each);
  const beside = signed.filter((name) => Object.hasOwn(rest, name));
  const elements = array.map((element: unknown, index) => {
    const renamed = renameMembers(element, rename);
    const lacksSigned =
      beside.length > 0 &&
      !beside.every((name) => isRecord(element) && Object.hasOwn(element, name));
    if (renamed !== undefined && !lacksSigned) return putAt(renamed, as, rest);
    if (violations.length < maxViolations) {
      const pointer = `${start}/${index}`;
      violations.push(lacksSigned ? { ...signedElsewhere, pointer } : bothNames(pointer));
    }
    return undefined;
  });
  return { elements, violations };
}

/**
 * Returns a body of a wire variant with only one of its elements; with none for an index that it does not have. The array
 * of a variant has no constraint but for its elements, so that the result is valid if the element and the members beside
 * the array are.
 */
function withElement(body: unknown, each: readonly string[], index: number): unknown {
  const [member, ...inner] = each;
  if (member !== undefined)
    return {
      ...(body as object),
      [member]: withElement(memberAt(body, [member]), inner, index),
    };
  return Array.isArray(body) ? body.slice(index, index + 1) : body;
}

/** Renames members. Returns `undefined` where a member occurs under both of its names. */
function renameMembers(value: unknown, rename: ReadonlyMap<string, string>): unknown {
  if (rename.size === 0 || !isRecord(value)) return value;
  for (const [alias, name] of rename)
    if (Object.hasOwn(value, alias) && Object.hasOwn(value, name)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [rename.get(name) ?? name, member]),
  );
}

/** Returns the value at its location in the canonical format, together with the other members of the body. */
function putAt(value: unknown, as: readonly string[], rest: object): unknown {
  const [top, ...inner] = as;
  if (top === undefined) return isRecord(value) ? { ...rest, ...value } : value;
  const placed = inner.reduceRight((below, member) => Object.fromEntries([[member, below]]), value);
  return { ...rest, ...Object.fromEntries([[top, placed]]) };
}

function without(body: unknown, member: string | undefined): Readonly<Record<string, unknown>> {
  if (!isRecord(body)) return {};
  const entries = Object.entries(body);
  return entries.length === 1
    ? {}
    : Object.fromEntries(entries.filter(([name]) => name !== member));
}

/**
 * Maximum length of the members beside an array, times the number of its elements. Each element is validated, and
 * deduplicated, together with these members, which would take quadratic time.
 */
const maxCopied = 2 ** 24;

/** Returns the length of the members as JSON. */
function textLength(members: object): number {
  try {
    return JSON.stringify(members).length - '{}'.length;
  } catch {
    // Too deep.
    return Infinity;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the JSON Pointer of unescaped members. */
function toPointer(members: readonly string[]): string {
  return members.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function bothNames(pointer: string): Violation {
  return { pointer, keyword: 'form', message: 'has a member under both of its names' };
}

const bothForms: Violation = {
  pointer: '',
  keyword: 'form',
  message: 'has members of two wire variants',
};
const signedElsewhere = {
  keyword: 'form',
  message: 'has a member beside the array that must be signed with it',
};
const tooManyElements = {
  keyword: 'form',
  message: 'has too many elements for the members beside it',
};
const notAnArray = { keyword: 'type', message: 'must be of type array' };

/** A value in the canonical format with its kinds; none where the delivery does not show any. */
export interface Identified {
  /** Its index in the delivery. */
  readonly index: number;
  /** The name of the kind, or of the union of the possible kinds; `null` for none. */
  readonly name: string | null;
  readonly kinds: readonly string[];
  /** Set where only the schemas decided between several kinds. */
  readonly bySchema?: true;
  readonly data: unknown;
  /** Its handler, for an event that violates its schema, and that the application chose to get. */
  readonly handler?: Handler<never>;
}

/** The values of a delivery, and why it violates the contract, if it does. */
export interface Identification {
  readonly form: string;
  /** The path to the array of values, where the delivery has one. */
  readonly each?: readonly string[] | undefined;
  /** The number of values in the delivery. */
  readonly count: number;
  /** All values of a valid delivery, or of one that matches no kind; the valid values of an invalid one. */
  readonly events: readonly Identified[];
  readonly invalid?: Invalid | undefined;
}

/** A delivery that violates the contract. */
export type Refused = Identification & { readonly invalid: Invalid };

/** Returns whether a delivery violates the contract. */
export function isRefused(identification: Identification): identification is Refused {
  return identification.invalid !== undefined;
}

/** Why an authentic delivery violates the contract. */
export interface Invalid {
  readonly reason: InvalidReason;
  readonly kinds: readonly string[];
  readonly violations: readonly Violation[];
}

/**
 * Identifies the kinds of a body, and validates the body as such. Where the request has a label, the body must match
 * it.
 * @param label the kinds of the label, where the request has one
 * @param numbers whether a body with texts in place of numbers is invalid
 */
export function identify(
  catalogue: Catalogue,
  from: Readable,
  label: readonly string[] | undefined,
  body: BodyContent,
  numbers: NumberMode,
): Identification {
  const { value, exact } = body;
  const identification = refuseUnsigned(catalogue, identifyBody(catalogue, from, label, body));
  if (identification.invalid === undefined && value === exact) return identification;
  const violations = new ViolationList(identification.each);
  for (const violation of identification.invalid?.violations ?? []) violations.add(violation);
  if (value !== exact) addInexactNumbers(value, exact, '', numbers, violations);
  if (violations.first.length === 0) return identification;
  return {
    ...identification,
    events: identification.events.filter(({ index }) => !violations.concerns(index)),
    invalid: {
      reason: 'number',
      kinds: inOrder(
        catalogue,
        identification.events.map(({ kinds }) => kinds),
      ),
      ...identification.invalid,
      violations: violations.first,
    },
  };
}

/**
 * Refuses a delivery whose values are elsewhere than where the contract states that they are signed, whatever authenticated
 * it: a worker no longer knows that.
 */
function refuseUnsigned({ kinds }: Catalogue, identification: Identification): Identification {
  const { events, each = [] } = identification;
  const unsigned = events.filter((event) =>
    event.kinds.some((name) => {
      const signed = kinds.get(name)?.signed;
      return signed !== undefined && toPointer(signed.each ?? []) !== toPointer(each);
    }),
  );
  return unsigned.length === 0
    ? identification
    : refuse(
        'form',
        unsigned.flatMap((event) => event.kinds),
        [notSigned],
      );
}

/** The first violations of a delivery, and the indices of the elements that any violation concerns. */
class ViolationList {
  readonly first: Violation[] = [];
  readonly #start: string | undefined;
  readonly #indices = new Set<number>();
  #concernsAll = false;

  /** @param each the path to the array of elements, where the delivery has one */
  constructor(each: readonly string[] | undefined) {
    this.#start = each === undefined ? undefined : `${toPointer(each)}/`;
  }

  add(violation: Violation): void {
    const placed = withIndex(violation, this.#start);
    if (placed.index === undefined) this.#concernsAll = true;
    else this.#indices.add(placed.index);
    if (this.first.length < maxViolations) this.first.push(placed);
  }

  concerns(index: number): boolean {
    return this.#concernsAll || this.#indices.has(index);
  }
}

/** Returns a violation with the index of its element in the array whose elements have pointers with that start. */
function withIndex(violation: Violation, start: string | undefined): Violation {
  if (start === undefined || !violation.pointer.startsWith(start)) return violation;
  return { ...violation, index: Number.parseInt(violation.pointer.slice(start.length), 10) };
}

/** Adds the violations by numbers that no double represents exactly. As text, only infinite doubles are violations. */
function addInexactNumbers(
  value: unknown,
  exact: unknown,
  pointer: string,
  numbers: NumberMode,
  violations: ViolationList,
): void {
  if (typeof value === 'number') {
    if (value === exact || (numbers === 'text' && Number.isFinite(value))) return;
    violations.add({
      pointer,
      keyword: 'number',
      message: 'must be a number that a double holds exactly',
    });
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = memberAt(exact, [name]);
    addInexactNumbers(
      member,
      inner,
      `${pointer}${toPointer([shorten(name)])}`,
      numbers,
      violations,
    );
  }
}

/** Maximum length of a member name in a pointer. A longer one is cut, because each of its members would repeat it. */
const maxName = 256;

function shorten(name: string): string {
  return name.length > maxName ? `${name.slice(0, maxName)}…` : name;
}

function identifyBody(
  catalogue: Catalogue,
  from: Readable,
  label: readonly string[] | undefined,
  body: BodyContent,
): Identification {
  const possible = decide(catalogue.formOf, catalogue.reads, from, body.value);
  if (possible.length === 0) return identifyCanonical(catalogue, from, label, body);
  const forms = possible.filter(
    (name) =>
      label === undefined || catalogue.forms.get(name)?.kinds.some((kind) => label.includes(kind)),
  );
  const [formName = ''] = forms;
  const form = forms.length === 1 ? catalogue.forms.get(formName) : undefined;
  if (forms.length > 1) return refuse('form', label ?? [], [severalForms]);
  return form === undefined
    ? identifyCanonical(catalogue, from, label, body)
    : identifyForm(catalogue, from, narrow(form.kinds, label), form, body);
}

function identifyCanonical(
  catalogue: Catalogue,
  from: Readable,
  label: readonly string[] | undefined,
  body: BodyContent,
): Identification {
  const { value } = body;
  const decidedKinds = decideKinds(catalogue, catalogue.kindOf, from, value);
  const possible = narrow(decidedKinds, label);
  const asWritten = narrow(possible, body.kinds);
  // A body in JSON can also be of a kind that is written as a form.
  const kinds = asWritten.length === 0 ? possible : asWritten;
  if (kinds.length > 0) return identifyAs(catalogue, kinds, body);
  if (label === undefined) return identifyResembling(catalogue, from, body);
  const other = acceptingKind(catalogue, decidedKinds, value);
  if (other !== undefined) return refuse('other-kind', label, [ofAnotherKind(other)]);
  if (label.length > 1) return refuseAs(catalogue, 'no-kind', label, value);
  return identifyAs(catalogue, label, body);
}

/** Refuses a body of no kind that resembles one, because it is not merely unknown. `otherwise` gets any other body. */
function identifyResembling(
  catalogue: Catalogue,
  from: Readable,
  { value, exact }: BodyContent,
): Identification {
  const { resembles } = catalogue;
  const kinds = resembles === undefined ? noKinds : decideKinds(catalogue, resembles, from, value);
  return kinds.length === 0
    ? toCanonical({ index: 0, name: null, kinds, data: exact })
    : refuseAs(catalogue, 'contradiction', kinds, value);
}

/**
 * Refuses a body of no kind as one of some kinds: with the violations of their schemas, or for the given reason where it
 * is valid for one of them.
 */
function refuseAs(
  catalogue: Catalogue,
  reason: 'contradiction' | 'no-kind',
  kinds: readonly string[],
  body: unknown,
): Refused {
  if (acceptingKind(catalogue, kinds, body) !== undefined)
    return refuse(reason, kinds, [reason === 'no-kind' ? noKind : contradicting]);
  const violations = violationsOf(catalogue, kinds, body);
  return refuse(reason === 'no-kind' ? reason : 'schema', kinds, violations);
}

function identifyAs(
  catalogue: Catalogue,
  kinds: readonly string[],
  { value, exact }: BodyContent,
): Identification {
  return acceptingKind(catalogue, kinds, value) === undefined
    ? refuse('schema', kinds, violationsOf(catalogue, kinds, value))
    : toCanonical(toIdentified(catalogue, kinds, value, exact));
}

/** Returns the first of the kinds for whose schema the body is valid. */
function acceptingKind(
  catalogue: Catalogue,
  kinds: readonly string[],
  body: unknown,
): string | undefined {
  for (const name of kinds) {
    const kind = catalogue.kinds.get(name);
    if (kind?.check.accepts(toNormal(kind, body))) return name;
  }
  return undefined;
}

/** Decides the kinds of a value. What is normalized for one kind is normalized for this decision. */
function decideKinds(
  catalogue: Catalogue,
  decision: Decision,
  from: Readable,
  body: unknown,
): readonly string[] {
  let normal = body;
  for (const nodes of normalizationsOf(catalogue, decision)) normal = normalizeValue(normal, nodes);
  return decide(decision, catalogue.reads, from, normal);
}

type Normalization = readonly NormalizationNode[];

/**
 * What is normalized for any kind at the locations that each decision reads, without repetition. A decision belongs to
 * one contract, whose kinds have the same normalization in every representation.
 */
const normalizations = new WeakMap<Decision, readonly Normalization[]>();

function normalizationsOf(
  { kinds, reads }: Catalogue,
  decision: Decision,
): readonly Normalization[] {
  let known = normalizations.get(decision);
  if (known === undefined) {
    const paths = decision.nodes.flatMap(({ read }) => {
      const location = reads[read];
      return typeof location === 'object' && 'body' in location ? [location.body] : [];
    });
    const byText = new Map<string, Normalization>();
    for (const { normalization } of kinds.values()) {
      if (normalization === undefined) continue;
      const nodes = atPaths(normalization, paths);
      if (nodes.some(({ values, number }) => values.length > 0 || number === true))
        byText.set(JSON.stringify(nodes), nodes);
    }
    known = [...byText.values()];
    normalizations.set(decision, known);
  }
  return known;
}

/** Returns the nodes of the values that are read at the paths. */
function atPaths(nodes: Normalization, paths: readonly (readonly string[])[]): Normalization {
  const kept: NormalizationNode[] = [];
  const keep = (at: number, tails: typeof paths): number => {
    const node: NormalizationNode = nodes[at] ?? { values: [], members: [] };
    const index = kept.push(node) - 1;
    const below = new Map<string, (readonly string[])[]>();
    for (const [name, ...tail] of tails)
      if (name !== undefined) below.set(name, [...(below.get(name) ?? []), tail]);
    kept[index] = {
      values: node.values.filter(([name]) => below.has(name)),
      members: node.members.flatMap(([name, inner]) => {
        const inside = below.get(name);
        return inside === undefined ? [] : [[name, keep(inner, inside)] as const];
      }),
      ...(node.items !== undefined &&
        below.size > 0 && { items: keep(node.items, [...below.values()].flat()) }),
      ...(node.number === true && tails.some((tail) => tail.length === 0) && { number: true }),
    };
    return index;
  };
  keep(0, paths);
  return kept;
}

function toNormal(kind: Kind | undefined, body: unknown): unknown {
  return kind?.normalization === undefined ? body : normalizeValue(body, kind.normalization);
}

function identifyForm(
  catalogue: Catalogue,
  from: Readable,
  expected: readonly string[],
  form: Form,
  { value: body, exact }: BodyContent,
): Identification {
  const { elements, violations: faults } = toCanonicalElements(body, form);
  const count = elements.length;
  if (count === 0 && faults.length > 0) return refuse('form', expected, faults);
  const delivered = body === exact ? elements : toCanonicalElements(exact, form).elements;
  const kindsOfEach = elements.map((element) => {
    if (element === undefined) return noKinds;
    const elementKinds = narrow(decideKinds(catalogue, catalogue.kindOf, from, element), expected);
    return elementKinds.length > 0 || expected.length > 1 ? elementKinds : expected;
  });
  const { each, checks } = form;
  // The schema of another kind can accept what the schemas of the elements' own kinds refuse.
  const isAccepted =
    faults.length === 0 &&
    checks.some(
      (check) =>
        (check.kinds === undefined || kindsOfEach.every((kinds) => isOf(check, kinds))) &&
        check.accepts(body),
    );
  const isValid = (kinds: readonly string[], index: number): boolean =>
    isAccepted ||
    (each !== undefined &&
      checks.some((check) => isOf(check, kinds) && check.accepts(withElement(body, each, index))));
  const refused: (readonly [index: number, kinds: readonly string[]])[] = [];
  const events = kindsOfEach.flatMap((kinds, index) => {
    if (kinds.length > 0 && isValid(kinds, index))
      return [toIdentified(catalogue, kinds, elements[index], delivered[index], index)];
    // What cannot be converted has a violation.
    if (elements[index] !== undefined) refused.push([index, kinds.length > 0 ? kinds : expected]);
    return [];
  });
  const identification: Identification = {
    form: form.name,
    each,
    count,
    events,
  };
  if (count === 0) {
    // A delivery without any value reaches `otherwise`, so that the application sees it.
    if (isAccepted) return toCanonical({ index: 0, name: null, kinds: noKinds, data: exact });
    refused.push([0, expected]);
  }
  // No schema accepts the array of elements that different schemas accept.
  else if (events.length === count) return identification;
  const elementViolations = violationsOfEach(form, body, refused);
  const isOfKinds = elementViolations.some(({ keyword }) => keyword !== 'kind');
  const reason = faults.length > 0 ? 'form' : isOfKinds ? 'schema' : 'no-kind';
  const kinds = kindsOfEach.includes(noKinds) ? expected : inOrder(catalogue, kindsOfEach);
  return {
    ...identification,
    invalid: { reason, kinds, violations: [...faults, ...elementViolations] },
  };
}

/**
 * Returns the violations of elements, each as the kinds that it can have, without repetitions. Where one of the schemas
 * accepts an element, the violation is that it is of none of the kinds.
 */
function violationsOfEach(
  { each, checks }: Form,
  body: unknown,
  elements: readonly (readonly [index: number, kinds: readonly string[]])[],
): readonly Violation[] {
  const start = each && `${toPointer(each)}/`;
  const violationsByKey = new Map<string, Violation>();
  for (const [index, kinds] of elements) {
    if (violationsByKey.size >= maxViolations) break;
    const elementBody = each ? withElement(body, each, index) : body;
    const lists = checks.flatMap((check) =>
      isOf(check, kinds) ? [check.violations(elementBody)] : [],
    );
    const all = lists.some((list) => list.length === 0)
      ? [{ ...noKind, pointer: start ? `${start}0` : '' }]
      : lists.flat();
    for (const violation of all) {
      const { pointer } = violation;
      const placed =
        start && pointer.startsWith(start)
          ? { ...violation, pointer: start + index + pointer.slice(start.length + 1) }
          : violation;
      violationsByKey.set(JSON.stringify(placed), placed);
    }
  }
  return [...violationsByKey.values()];
}

/** Returns the kinds of several values, without repetitions, in the order of the contract. */
function inOrder(
  { kinds }: Catalogue,
  kindsOfEach: readonly (readonly string[])[],
): readonly string[] {
  const possible = new Set(kindsOfEach.flat());
  return [...kinds.keys()].filter((name) => possible.has(name));
}

/** Returns whether a schema of a wire variant is that of one of the kinds. */
function isOf({ kinds: checkKinds }: FormCheck, kinds: readonly string[]): boolean {
  return checkKinds === undefined || checkKinds.some((kind) => kinds.includes(kind));
}

const noKinds: readonly string[] = [];

/** Returns the kinds that the label or the wire variant also allows. */
function narrow(
  kinds: readonly string[],
  allowed: readonly string[] | undefined,
): readonly string[] {
  const [only] = kinds;
  if (allowed === undefined || (only !== undefined && kinds.length === 1 && allowed.includes(only)))
    return kinds;
  const narrowed = kinds.filter((kind) => allowed.includes(kind));
  return narrowed.length === 0 ? noKinds : narrowed;
}

function toIdentified(
  catalogue: Catalogue,
  possible: readonly string[],
  body: unknown,
  exact: unknown,
  index = 0,
): Identified {
  const { unions } = catalogue;
  const kinds = possible.length > 1 ? decideBySchema(catalogue, possible, body) : possible;
  const [first = ''] = kinds;
  let data = exact;
  for (const name of kinds) data = toNormal(catalogue.kinds.get(name), data);
  if (kinds !== possible) return { index, name: first, kinds, bySchema: true, data };
  const name = kinds.length === 1 ? first : (unions.get(kinds.join(' ')) ?? null);
  return { index, name, kinds, data };
}

/** Returns the one of several kinds whose schema alone accepts a value, if schemas decide all of them; else the kinds. */
function decideBySchema(
  { bySchema, kinds }: Catalogue,
  possible: readonly string[],
  body: unknown,
): readonly string[] {
  if (bySchema === undefined || !possible.every((name) => bySchema.has(name))) return possible;
  const accepting = possible.filter((name) => {
    const kind = kinds.get(name);
    return kind?.check.accepts(toNormal(kind, body));
  });
  return accepting.length === 1 ? accepting : possible;
}

/** Returns the violations of the kinds' schemas, without repetitions. */
function violationsOf(
  { kinds }: Catalogue,
  names: readonly string[],
  body: unknown,
): readonly Violation[] {
  const checked = new Set<Check['accepts']>();
  const violationsByKey = new Map<string, Violation>();
  for (const name of names) {
    const kind = kinds.get(name);
    // Kinds with one schema share its functions, and other schemas can have the same members.
    if (kind === undefined || checked.has(kind.check.accepts)) continue;
    checked.add(kind.check.accepts);
    for (const violation of kind.check.violations(toNormal(kind, body)))
      violationsByKey.set(JSON.stringify(violation), violation);
  }
  return [...violationsByKey.values()];
}

/** Creates the result for a delivery without valid events. */
export function refuse(
  reason: InvalidReason,
  kinds: readonly string[],
  violations: readonly Violation[],
): Refused {
  return { form: 'canonical', count: 1, events: [], invalid: { reason, kinds, violations } };
}

function toCanonical(event: Identified): Identification {
  return { form: 'canonical', count: 1, events: [event] };
}

function ofAnotherKind(kind: string): Violation {
  return { pointer: '', keyword: 'kind', message: `is of the kind ${JSON.stringify(kind)}` };
}

const severalForms: Violation = {
  pointer: '',
  keyword: 'form',
  message: 'matches several wire variants',
};
const notSigned: Violation = {
  pointer: '',
  keyword: 'form',
  message: 'is in a format whose values are not signed',
};
const contradicting: Violation = {
  pointer: '',
  keyword: 'kind',
  message: 'contradicts the contract about the kinds that it resembles',
};
const noKind: Violation = {
  pointer: '',
  keyword: 'kind',
  message: 'is of none of the possible kinds',
};

/** Returns the replay key of an event that has one kind or a named union of kinds, and `undefined` for others. */
export function replayKey(
  { kinds: all }: Catalogue,
  { name, kinds, data }: Identified,
  from: Readable,
): MaybePromise<string> | undefined {
  if (name === null) return undefined;
  const [first = ''] = kinds;
  const dedupeBy = all.get(first)?.dedupeBy;
  return dedupeBy === undefined ? undefined : deliveryKey(name, dedupeBy, from, data);
}

/**
 * Returns the order key of an event: the value itself if it is one short value, so that operators recognize it, and a
 * digest otherwise. Returns `undefined` where no value exists.
 */
export function createOrderKey(
  orderedBy: readonly Read[],
  from: Readable,
  body: unknown,
): MaybePromise<string> | undefined {
  const values = orderedBy
    .map((read) => readValue(read, from, body))
    .filter((value) => value !== undefined && value !== null);
  if (values.length === 0) return undefined;
  const [value] = values;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  // A store could refuse a long text, or one with unusual characters.
  return orderedBy.length === 1 && /^[ -~]{1,200}$/u.test(text)
    ? text
    : deliveryKey('', orderedBy, from, body);
}

/**
 * Returns a SHA-256 digest that is equal for equal events of a kind. A replay store thus gets no data of a delivery.
 * Returns `undefined` where `dedupeBy` is empty, or none of its values exists.
 */
export function deliveryKey(
  kind: string,
  dedupeBy: readonly Read[],
  from: Readable,
  body: unknown,
): MaybePromise<string> | undefined {
  if (dedupeBy.length === 0) return undefined;
  if (!dedupeBy.includes('raw')) return computeKey(kind, dedupeBy, from, body);
  // The events of a delivery would each digest all of its bytes.
  if (dedupeBy.some(isOfBody))
    return mapMaybePromise(
      digestBytes(from),
      (bytes) =>
        // The digest of the bytes makes the value exist.
        computeKey(kind, dedupeBy, from, body, bytes) ?? '',
    );
  const name = `key ${kind}`;
  const key = from.cache.has(name)
    ? (from.cache.get(name) as MaybePromise<string> | undefined)
    : computeKey(kind, dedupeBy, from, body);
  from.cache.set(name, key);
  return key;
}

function isOfBody(read: Read): boolean {
  return typeof read === 'object' && 'body' in read;
}

function digestBytes(from: Readable): MaybePromise<string> {
  const { cache } = from;
  const bytes = cache.has('raw')
    ? (cache.get('raw') as MaybePromise<string>)
    : digest(JSON.stringify(Array.from(from.raw)));
  cache.set('raw', bytes);
  return bytes;
}

/** @param raw stands for the raw bytes of the body */
function computeKey(
  kind: string,
  dedupeBy: readonly Read[],
  from: Readable,
  body: unknown,
  raw?: string,
): MaybePromise<string> | undefined {
  const tokens: unknown[] = [kind];
  let isThere = false;
  for (const read of dedupeBy) {
    const value = read === 'raw' && raw !== undefined ? raw : readValue(read, from, body);
    if (value === undefined) {
      tokens.push(absent);
    } else {
      isThere = true;
      append(value instanceof Uint8Array ? Array.from(value) : value, tokens);
    }
  }
  return isThere ? digest(JSON.stringify(tokens)) : undefined;
}

/** `hash` of `node:crypto`, looked up once; `null` if the platform lacks it. */
let nodeHash: NodeModules['node:crypto']['hash'] | null | undefined;

/** Returns the SHA-256 digest of a text in Base64. */
export function digest(text: string): MaybePromise<string> {
  if (nodeHash === undefined) nodeHash = builtinModule('node:crypto')?.hash ?? null;
  return nodeHash === null ? digestOnWeb(text) : nodeHash('sha256', text, 'base64');
}

async function digestOnWeb(text: string): Promise<string> {
  const hashed = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(hashed)));
}

/** Tokens that no value is written as: they mark absent values, and the start and end of objects and arrays. */
const absent = {};
const object = [absent];
const array: readonly unknown[] = [];
const end = [array];

/**
 * Appends a value as a flat list of tokens, which is the same for any order of members. Serializing one list is several
 * times faster than serializing a copy with sorted members.
 */
function append(value: unknown, tokens: unknown[]): void {
  if (typeof value !== 'object' || value === null) {
    tokens.push(value);
    return;
  }
  if (Array.isArray(value)) {
    tokens.push(array);
    for (const element of value) append(element, tokens);
  } else {
    tokens.push(object);
    const record = value as Readonly<Record<string, unknown>>;
    for (const name of sortedNames(record)) {
      tokens.push(name);
      append(record[name], tokens);
    }
  }
  tokens.push(end);
}

/** The maximum number of members of an object whose sorted names are kept. */
const maxKept = 64;

/** The names of the last object of each size, as they were and sorted. */
const kept: (readonly [names: readonly string[], sorted: readonly string[]] | undefined)[] = [];

/** Returns the sorted names of the members. Comparing them with those of the last object takes less time than sorting. */
function sortedNames(record: object): readonly string[] {
  const names = Object.keys(record);
  const [last = [], sortedLast = []] = kept[names.length] ?? [];
  if (names.every((name, index) => name === last[index])) return sortedLast;
  // oxlint-disable-next-line unicorn/no-array-sort -- `toSorted` is not in ES2022, which NestJS applications compile for
  const sorted = [...names].sort();
  if (names.length <= maxKept) kept[names.length] = [names, sorted];
  return sorted;
}
