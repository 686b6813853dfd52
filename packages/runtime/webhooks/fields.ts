import { isExactNumber } from '../base/exact-number.ts';
import {
  looksLikeJson,
  parseBody,
  type BodyFault,
  type ParsedBody,
  type ParseRules,
} from './parse-body.ts';

/** The JSON types that a value in a form or in a query can have, with those of its elements and members. */
export interface FieldShape {
  readonly types: readonly string[];
  readonly items?: FieldShape;
  readonly properties?: Readonly<Record<string, FieldShape>>;
}

/** A member of the data, as a form or a query carries it. */
export interface Field {
  readonly shape: FieldShape;
  /** What separates the elements of an array that is one text; without it, each element repeats the name. */
  readonly delimiter?: ',' | ' ' | '|';
  /** Whether the members of an object have separate names, beside those of other fields. */
  readonly spread?: true;
}

/** How the data of a kind is written that is not JSON. */
export interface KindFields {
  /**
   * `body`: as a form. `query`: as parameters of the query, without a body. `xml` and `any` are not read: no other data
   * is XML, but text and bytes (`any`) can look like all other data.
   */
  readonly in: 'body' | 'query' | 'xml' | 'any';
  readonly fields: Readonly<Record<string, Field>>;
}

/** The names and values of a form or a query by name, as they are written; only the names are decoded. */
export type Pairs = ReadonlyMap<string, readonly string[]>;

/** The data of a form or a query, or why it is refused. */
export type DecodedFields =
  | Extract<ParsedBody, { readonly fault: string }>
  | { readonly fault?: undefined; readonly value: object; readonly exact: object };

/** Splits the text of a form or a query. Returns `undefined` if it is not UTF-8. Never throws. */
export function splitPairs(text: string): Pairs | undefined {
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
export function decodeFields(
  pairs: Pairs,
  fields: Readonly<Record<string, Field>>,
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

class FieldFault extends Error {
  readonly fault: BodyFault;

  constructor(fault: BodyFault) {
    super(fault);
    this.fault = fault;
  }
}

/** Reads the data of one delivery. */
class Reader {
  readonly #pairs: Pairs;
  readonly #fields: Readonly<Record<string, Field>>;
  readonly #rules: ParseRules;
  readonly #keepsInexact: boolean;
  readonly #read = new Set<string>();
  /** The members of names with brackets, such as `a[b]`, by the name before the brackets. */
  readonly #bracketed = new Map<string, [name: string, key: string][]>();
  hasInexact = false;

  /** @param keepsInexact whether a number that no double represents exactly stays a text */
  constructor(
    pairs: Pairs,
    fields: Readonly<Record<string, Field>>,
    rules: ParseRules,
    keepsInexact: boolean,
  ) {
    this.#pairs = pairs;
    this.#fields = fields;
    this.#rules = rules;
    this.#keepsInexact = keepsInexact;
    for (const name of pairs.keys()) {
      const start = name.indexOf('[');
      if (start <= 0 || !name.endsWith(']')) continue;
      const holder = name.slice(0, start);
      if (!Object.hasOwn(fields, holder)) continue;
      const members = this.#bracketed.get(holder) ?? [];
      members.push([name, name.slice(start + 1, -1)]);
      this.#bracketed.set(holder, members);
    }
  }

  read(isWhole: boolean): object {
    const members: [name: string, value: unknown][] = [];
    for (const [name, field] of Object.entries(this.#fields)) {
      const value = this.#field(name, field);
      if (value !== undefined) members.push([name, value]);
    }
    if (isWhole)
      for (const [name, texts] of this.#pairs) {
        if (this.#read.has(name)) continue;
        // What the contract does not declare can be an array.
        const [first = '', ...rest] = texts.map(decodeText);
        members.push([name, rest.length === 0 ? first : [first, ...rest]]);
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
    if (!isArray) return this.#scalar(decodeText(only), shape);
    const items = delimiter === undefined ? [only] : only.split(delimiters[delimiter]);
    return items.map((text) => this.#element(text, shape.items));
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

  /** Reads `name[key]=value`, and the arrays `name[]=value` and `name[0]=value`. */
  #brackets(holder: string, shape: FieldShape): unknown {
    const fields = this.#bracketed.get(holder);
    if (fields === undefined) return undefined;
    const isObject = shape.types.includes('object');
    if (!isObject && !shape.types.includes('array')) return undefined;
    if (!isObject || fields.every(([, key]) => key === ''))
      return fields.flatMap(([name]) =>
        (this.#take(name) ?? []).map((text) => this.#element(text, shape.items)),
      );
    return this.#toObject(
      fields.map(([name, key]) => {
        if (holder === 'constructor' && key === 'prototype') throw new FieldFault('prototype-key');
        const properties = shape.properties ?? {};
        const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
        return [key, this.#field(name, { shape: property ?? { types: [] } })];
      }),
    );
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

const encoder = new TextEncoder();
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/iu;

/** How a delimiter is written, itself or encoded. */
const delimiters = { ',': ',', ' ': /%20|\+/u, '|': /\||%7C/iu } as const;

/** Returns the fields of several kinds; a field of several has the types of all. */
export function mergeFields(all: readonly KindFields[]): Readonly<Record<string, Field>> {
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
  return Object.fromEntries(merged);
}

function mergeShapes(first: FieldShape, second: FieldShape): FieldShape {
  const items =
    first.items && second.items
      ? mergeShapes(first.items, second.items)
      : (first.items ?? second.items);
  const properties = { ...second.properties, ...first.properties };
  return {
    types: [...new Set([...first.types, ...second.types])],
    ...(items === undefined ? {} : { items }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}
