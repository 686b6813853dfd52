import type { EnumerationMember, JsonSchema, Schema } from '../../schema/model.ts';
import { type Json, type JsonObject, isJsonObject } from '../../json/json.ts';
import { type Html, html, inline, joinHtml } from './html.ts';
import { type Page, questionLink, sourceLinks } from './page.ts';

/**
 * The number of members that a tree may still show. At 0, referenced schemas are filled in when the reader opens them.
 */
export interface Budget {
  left: number;
}

/** Renders the members of a schema as a tree; empty for a schema without members. */
export function schemaTree(
  page: Page,
  definition: JsonSchema,
  budget: Budget,
  anchorOf?: (member: string) => string,
): Html {
  return new Tree(page, budget, anchorOf).children(definition, []);
}

/**
 * Renders the members of a named schema where it is used. In a large contract this is a placeholder, which the page's
 * script fills from the schema's own entry when the reader opens it. With all members at every use, the page would be
 * twice as large.
 * @param left the number of members to show
 */
export function namedTree(page: Page, { name, definition }: Schema, left: number): Html {
  return page.large
    ? html`<div data-schema="${page.anchors.of('schema', name)}"></div>`
    : schemaTree(page, definition, { left });
}

/**
 * Renders the type of a schema in a few words.
 * @param linked whether names link to their schemas
 */
export function typeText(page: Page, definition: JsonSchema, linked = true): Html {
  return new Tree(page, { left: 0 }, undefined, linked).type(definition);
}

class Tree {
  readonly #page: Page;
  readonly #budget: Budget;
  readonly #anchorOf: ((member: string) => string) | undefined;
  readonly #linked: boolean;

  constructor(page: Page, budget: Budget, anchorOf?: (member: string) => string, linked = true) {
    this.#linked = linked;
    this.#page = page;
    this.#budget = budget;
    this.#anchorOf = anchorOf;
  }

  type(schema: Json | undefined): Html {
    if (schema === true || schema === undefined) return html`anything`;
    if (!isJsonObject(schema)) return html`nothing`;
    const name = referenceOf(schema);
    if (name !== undefined) {
      const typeName = this.#page.index.get(name)?.typeName ?? name;
      if (!this.#linked) return html`${typeName}`;
      return html`<a class="type-name" href="#${this.#page.anchors.of('schema', name)}"
        >${typeName}</a
      >`;
    }
    if (Object.hasOwn(schema, 'const'))
      return html`<code>${JSON.stringify(schema['const'])}</code>`;
    const alternatives = alternativesOf(schema);
    if (alternatives !== undefined) {
      const [only] = alternatives.schemas;
      return alternatives.schemas.length === 1 ? this.type(only) : html`${alternatives.words}`;
    }
    const types = typesOf(schema);
    const written = types.map((type) => this.#typeWord(type, schema));
    return written.length === 0 ? html`anything` : joinHtml(written, ' or ');
  }

  children(schema: Json | undefined, trail: readonly string[]): Html {
    if (!isJsonObject(schema)) return html``;
    const name = referenceOf(schema);
    if (name !== undefined) return this.#referenced(name, trail);
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
    const members = isJsonObject(schema['properties'])
      ? Object.entries(schema['properties']).map(([member, value]) =>
          this.#row(member, value, required.has(member), trail),
        )
      : [];
    const { additionalProperties, items } = schema;
    if (isJsonObject(additionalProperties)) {
      members.push(this.#row('any other name', additionalProperties, false, trail, true));
    }
    const alternatives = alternativesOf(schema);
    if (alternatives !== undefined) {
      const { schemas } = alternatives;
      if (schemas.length === 1) members.push(this.children(schemas[0], trail));
      else {
        members.push(
          ...schemas.map((one, index) =>
            this.#row(`${alternatives.each} ${index + 1}`, one, false, trail, true),
          ),
        );
      }
    }
    const list =
      members.length === 0
        ? html``
        : html`<ul class="tree">
            ${members}
          </ul>`;
    return html`${enumeration(schema['enum'])}${list}${isJsonObject(items) ? this.children(items, trail) : undefined}`;
  }

  #referenced(name: string, trail: readonly string[]): Html {
    const target = this.#page.index.get(name);
    if (target === undefined) return html``;
    if (target.enumeration !== undefined)
      return members(target.enumeration.members, target.enumeration.open);
    if (this.#budget.left <= 0 || trail.includes(name)) {
      return html`<div data-schema="${this.#page.anchors.of('schema', name)}"></div>`;
    }
    return this.children(target.definition, [...trail, name]);
  }

  #row(
    name: string,
    schema: Json | undefined,
    required: boolean,
    trail: readonly string[],
    described = false,
  ): Html {
    this.#budget.left -= 1;
    const object = isJsonObject(schema) ? schema : {};
    const children = this.children(schema, trail);
    const about =
      typeof object['description'] === 'string'
        ? html`<p>${inline(object['description'])}</p>`
        : html``;
    const id = trail.length === 0 && !described ? this.#anchorOf?.(name) : undefined;
    const source = [object['x-source'] ?? []].flat().filter((item) => typeof item === 'string');
    const questions = isJsonObject(object['x-unstated']) ? Object.keys(object['x-unstated']) : [];
    const tags = [
      ...(required ? [html`<span class="tag required">required</span>`] : []),
      ...(isNullable(object) ? [html`<span class="tag nullable">or null</span>`] : []),
      ...(object['deprecated'] === true
        ? [html`<span class="tag deprecated">deprecated</span>`]
        : []),
    ];
    const title = described
      ? html`<i class="member">${name}</i>`
      : html`<code class="member">${name}</code>`;
    const nested =
      children.text === ''
        ? undefined
        : html`<details
            class="nested"
            ${trail.length < 2 && this.#budget.left > 0 ? html` open` : undefined}
          >
            <summary>${nestedWords(object, this.#page)}</summary>
            ${children}
          </details>`;
    return html`<li${id === undefined ? undefined : html` id="${id}"`}><div class="row">${title} <span class="type">${this.type(schema)}</span> ${joinHtml(tags, ' ')} ${constraints(object)} ${sourceLinks(this.#page, source)}</div>${about}${
      questions.length === 0
        ? undefined
        : html`<div class="questions">
            ${joinHtml(
              questions.map((question) => questionLink(this.#page, question)),
              ' ',
            )}
          </div>`
    }${nested}</li>`;
  }

  #typeWord(type: string, schema: JsonObject): Html {
    if (type === 'array') return html`list of ${this.type(schema['items'])}`;
    if (
      type === 'object' &&
      isJsonObject(schema['additionalProperties']) &&
      !isJsonObject(schema['properties'])
    ) {
      return html`map of ${this.type(schema['additionalProperties'])}`;
    }
    return html`${type}`;
  }
}

function nestedWords(schema: JsonObject, { index }: Page): Html {
  const items = isJsonObject(schema['items']) ? schema['items'] : {};
  const target = index.get(referenceOf(schema) ?? referenceOf(items) ?? '');
  if (target?.enumeration !== undefined || Array.isArray(schema['enum'])) return html`values`;
  return html`members`;
}

/** Returns the name of the schema that `$ref` refers to; `undefined` where there is no reference to `$defs`. */
export function referenceOf({ $ref }: JsonObject): string | undefined {
  return typeof $ref === 'string' && $ref.startsWith('#/$defs/')
    ? decodeReference($ref.slice('#/$defs/'.length))
    : undefined;
}

function decodeReference(name: string): string {
  const text = name.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface Alternatives {
  readonly schemas: readonly Json[];
  readonly words: string;
  readonly each: string;
}

/** Returns the subschemas of `oneOf`, `anyOf` or `allOf`, without those of type `null`. */
function alternativesOf(schema: JsonObject): Alternatives | undefined {
  for (const [keyword, words, each] of [
    ['oneOf', 'one of', 'alternative'],
    ['anyOf', 'any of', 'alternative'],
    ['allOf', 'all of', 'part'],
  ] as const) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    const schemas = (list as readonly Json[]).filter((one) => !isNull(one));
    return { schemas, words: `${words} ${schemas.length}`, each };
  }
  return undefined;
}

function typesOf({ type }: JsonObject): readonly string[] {
  return [type ?? []].flat().filter((one) => typeof one === 'string' && one !== 'null') as string[];
}

function isNullable(schema: JsonObject): boolean {
  const { type, oneOf, anyOf } = schema;
  if (Array.isArray(type) && type.includes('null')) return true;
  return [oneOf, anyOf].some((list) => Array.isArray(list) && list.some(isNull));
}

function isNull(schema: Json): boolean {
  return isJsonObject(schema) && schema['type'] === 'null';
}

/** Keywords that constrain or annotate a value, in the order in which they are shown. */
const narrowing = (
  'format pattern minLength maxLength minimum exclusiveMinimum maximum exclusiveMaximum multipleOf minItems ' +
  'maxItems uniqueItems minProperties maxProperties default readOnly writeOnly contentMediaType contentEncoding'
).split(' ');

function constraints(schema: JsonObject): Html {
  return joinHtml(
    narrowing.flatMap((keyword) => {
      const value = schema[keyword];
      if (value === undefined || value === false) return [];
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [
        html`<span class="constraint"
          >${keyword}${value === true ? undefined : html` <code>${text}</code>`}</span
        >`,
      ];
    }),
    ' ',
  );
}

/** Renders the values of an enumeration with their names. */
export function members(list: readonly EnumerationMember[], open: boolean): Html {
  const rows = list.map(
    ({ name, value, description }) =>
      html`<tr>
        <td><code>${JSON.stringify(value)}</code></td>
        <td><code>${name}</code></td>
        <td>${description === undefined ? undefined : inline(description)}</td>
      </tr>`,
  );
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Values">
      <table class="values">
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col">Name in code</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    ${open ? html`<p class="note">Open: values that are not listed are accepted and kept.</p>` : undefined}`;
}

function enumeration(values: Json | undefined): Html {
  if (!Array.isArray(values)) return html``;
  return html`<p class="choices">
    ${joinHtml(
      (values as readonly Json[]).map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' ',
    )}
  </p>`;
}
