import { absentValuesOf } from '../../contract/normalization.ts';
import type { EnumerationMember, JsonSchema, Schema } from '../../schema/model.ts';
import { type Json, isJsonObject } from '../../json/json.ts';
import { SchemaNode } from '../../schema/node.ts';
import { referenceOf } from '../../schema/references.ts';
import { type Html, html, inline, joinEach, joinHtml } from './html.ts';
import { type Page, noteList, questionLink, sourceLinks, table } from './page.ts';

/**
 * The number of members that a tree may still show. At 0, referenced schemas are filled in when the reader opens them.
 */
export interface MemberBudget {
  left: number;
}

/** Renders the members of a schema as a tree; empty for a schema without members. */
export function schemaTree(
  page: Page,
  definition: JsonSchema,
  budget: MemberBudget,
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
  readonly #budget: MemberBudget;
  readonly #anchorOf: ((member: string) => string) | undefined;
  readonly #linked: boolean;

  constructor(
    page: Page,
    budget: MemberBudget,
    anchorOf?: (member: string) => string,
    linked = true,
  ) {
    this.#linked = linked;
    this.#page = page;
    this.#budget = budget;
    this.#anchorOf = anchorOf;
  }

  type(schema: JsonSchema = true): Html {
    const node = new SchemaNode(schema);
    if (node.isNever) return html`nothing`;
    const name = node.reference;
    if (name !== undefined) {
      const typeName = this.#page.index.get(name)?.typeName ?? name;
      if (!this.#linked) return html`${typeName}`;
      return html`<a class="type-name" href="#${this.#page.anchors.of('schema', name)}"
        >${typeName}</a
      >`;
    }
    if (node.has('const')) return html`<code>${JSON.stringify(node.keywords['const'])}</code>`;
    const parts = partsOf(node);
    if (parts !== undefined) {
      const { schemas, words } = parts;
      return schemas.length === 1 ? this.type(schemas[0]) : html`${words} ${schemas.length}`;
    }
    const typeWords = typesOf(node).map((type) => this.#typeWord(type, node));
    return typeWords.length === 0 ? html`anything` : joinHtml(typeWords, ' or ');
  }

  children(schema: JsonSchema, trail: readonly string[]): Html {
    const node = new SchemaNode(schema);
    const name = node.reference;
    if (name !== undefined) return this.#referenced(name, trail);
    const required = new Set(node.required);
    const rows = node.properties.map(([member, value]) =>
      this.#row(member, value, trail, { required: required.has(member) }),
    );
    const additionalSchema = node.schema('additionalProperties');
    if (isJsonObject(additionalSchema))
      rows.push(this.#row('any other name', additionalSchema, trail, { described: true }));
    const { schemas = [], each = '' } = partsOf(node) ?? {};
    const [only, ...more] = schemas;
    const isAlone = only !== undefined && more.length === 0;
    for (const [index, part] of isAlone ? [] : schemas.entries())
      rows.push(this.#row(`${each} ${index + 1}`, part, trail, { described: true }));
    const list =
      rows.length === 0
        ? html``
        : html`<ul class="tree">
            ${rows}
          </ul>`;
    const items = node.schema('items');
    return html`${enumeration(node.list('enum'))}${list}${isAlone && this.children(only, trail)}${items !== undefined && this.children(items, trail)}`;
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
    schema: JsonSchema,
    trail: readonly string[],
    { required = false, described = false }: { required?: boolean; described?: boolean },
  ): Html {
    this.#budget.left -= 1;
    const node = new SchemaNode(schema);
    const children = this.children(schema, trail);
    const description = node.text('description');
    const about = description === undefined ? html`` : html`<p>${inline(description)}</p>`;
    const id = trail.length === 0 && !described ? this.#anchorOf?.(name) : undefined;
    const questions = questionsIn(schema);
    const tags = [
      ...(required ? [html`<span class="tag required">required</span>`] : []),
      ...(isNullable(node) ? [html`<span class="tag nullable">or null</span>`] : []),
      ...absentValuesOf(schema).map(
        (value) =>
          html`<span class="tag nullable"
            ><code>${JSON.stringify(value)}</code> counts as missing</span
          >`,
      ),
      ...(node.keywords['deprecated'] === true
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
            <summary>${nestedWords(node, this.#page)}</summary>
            ${children}
          </details>`;
    return html`<li${id === undefined ? undefined : html` id="${id}"`}><div class="row">${title} <span class="type">${this.type(schema)}</span> ${joinHtml(tags, ' ')} ${constraints(node)} ${sourceLinks(this.#page, node.source)}</div>${about}${noteList(node.notes)}${
      questions.length === 0
        ? undefined
        : html`<div class="questions">
            ${joinEach(questions, ' ', (question) => questionLink(this.#page, question))}
          </div>`
    }${nested}</li>`;
  }

  #typeWord(type: string, node: SchemaNode): Html {
    if (type === 'array') return html`list of ${this.type(node.schema('items'))}`;
    const additionalSchema = node.schema('additionalProperties');
    const isMap = type === 'object' && isJsonObject(additionalSchema) && !node.has('properties');
    return isMap ? html`map of ${this.type(additionalSchema)}` : html`${type}`;
  }
}

function nestedWords(node: SchemaNode, { index }: Page): Html {
  const target = index.get(node.reference ?? referenceOf(node.schema('items')) ?? '');
  const isEnumeration = target?.enumeration !== undefined || node.list('enum') !== undefined;
  return isEnumeration ? html`values` : html`members`;
}

/** Returns the ids of the ledger entries beside the keywords of a schema. */
export function questionsIn(schema: JsonSchema): readonly string[] {
  const questions = new SchemaNode(schema).keywords['x-unstated'];
  return isJsonObject(questions) ? Object.keys(questions) : [];
}

interface Parts {
  readonly schemas: readonly JsonSchema[];
  readonly words: string;
  readonly each: string;
}

/** Returns the alternatives of a schema, without those of type `null`, or else the parts of its `allOf`. */
function partsOf({ union, allOf }: SchemaNode): Parts | undefined {
  if (union !== undefined) {
    const schemas = union.schemas.filter((schema) => !isNull(schema));
    return { schemas, words: union.keyword === 'oneOf' ? 'one of' : 'any of', each: 'alternative' };
  }
  return allOf.length === 0 ? undefined : { schemas: allOf, words: 'all of', each: 'part' };
}

function typesOf({ types = [] }: SchemaNode): readonly string[] {
  return types.filter((type) => type !== 'null');
}

function isNullable({ types, oneOf, anyOf }: SchemaNode): boolean {
  if (types !== undefined && types.length > 1 && types.includes('null')) return true;
  return [...oneOf, ...anyOf].some(isNull);
}

function isNull(schema: JsonSchema): boolean {
  return new SchemaNode(schema).keywords['type'] === 'null';
}

/** Keywords that constrain or annotate a value, in the order in which they are shown. */
const narrowing = (
  'format pattern minLength maxLength minimum exclusiveMinimum maximum exclusiveMaximum multipleOf minItems ' +
  'maxItems uniqueItems minProperties maxProperties default readOnly writeOnly contentMediaType contentEncoding'
).split(' ');

function constraints({ keywords }: SchemaNode): Html {
  return joinHtml(
    narrowing.flatMap((keyword) => {
      const value = keywords[keyword];
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
        <td>${inline(description)}</td>
      </tr>`,
  );
  return html`${table('values', 'Values', ['Value', 'Name in code', 'Meaning'], rows)}
  ${open ? html`<p class="note">Open: values that are not listed are accepted and kept.</p>` : undefined}`;
}

function enumeration(values: readonly Json[] | undefined): Html {
  if (values === undefined) return html``;
  return html`<p class="choices">
    ${joinEach(values, ' ', (value) => html`<code>${JSON.stringify(value)}</code>`)}
  </p>`;
}
