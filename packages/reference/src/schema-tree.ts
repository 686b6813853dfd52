import type { EnumerationMember, JsonSchema } from 'countersign';
import { absentValuesOf } from 'countersign/companion/contract';
import { isJsonObject } from 'countersign/companion/values';
import { type Json, SchemaNode } from 'countersign/kit';
import { type Html, html, inline, joinEach, joinHtml } from './html.ts';
import { type Page, noteList, questionLink, sourceLinks, table, typeLink } from './page.ts';

/** The anchors of a schema's members: each is given to the first member of its name. */
type AnchorsOfMembers = Map<string, string>;

/**
 * Renders the members of a schema as a tree; empty for a schema without members. Schemas with names are linked, and each
 * is on the page once: the page's script shows the members of a link below it.
 * @param anchors the anchors of the schema's own members, which are removed where they are used
 */
export function schemaTree(
  page: Page,
  definition: JsonSchema,
  anchors: AnchorsOfMembers = new Map(),
): Html {
  const { reference } = new SchemaNode(definition);
  if (reference !== undefined) return html`<p class="part">${typeText(page, definition)}</p>`;
  return childrenOf(page, definition, anchors);
}

/**
 * Renders the type of a schema in a few words.
 * @param linked whether names link to their schemas
 */
export function typeText(page: Page, schema: JsonSchema = true, linked = true): Html {
  const node = new SchemaNode(schema);
  if (node.isNever) return html`nothing`;
  const name = node.reference;
  if (name !== undefined) {
    const typeName = page.index.get(name)?.typeName ?? name;
    return linked ? (typeLink(page, name) ?? html`${typeName}`) : html`${typeName}`;
  }
  if (node.has('const')) return html`<code>${JSON.stringify(node.keywords['const'])}</code>`;
  const parts = partsOf(node);
  if (parts !== undefined) {
    const { schemas, words } = parts;
    return schemas.length === 1
      ? typeText(page, schemas[0], linked)
      : html`${words} ${schemas.length}`;
  }
  const typeWords = typesOf(node).map((type) => typeWord(page, type, node, linked));
  return typeWords.length === 0 ? html`anything` : joinHtml(typeWords, ' or ');
}

function typeWord(page: Page, type: string, node: SchemaNode, linked: boolean): Html {
  if (type === 'array') return html`list of ${typeText(page, node.schema('items'), linked)}`;
  const additionalSchema = node.schema('additionalProperties');
  const isMap = type === 'object' && isJsonObject(additionalSchema) && !node.has('properties');
  return isMap ? html`map of ${typeText(page, additionalSchema, linked)}` : html`${type}`;
}

const noAnchors: AnchorsOfMembers = new Map();

/** Renders the members that are written in a schema. Those of a schema with a name are at its own entry. */
function childrenOf(page: Page, schema: JsonSchema, anchors: AnchorsOfMembers): Html {
  const node = new SchemaNode(schema);
  if (node.reference !== undefined) return html``;
  const required = new Set(node.required);
  const rows = node.properties.map(([member, value]) =>
    rowOf(page, member, value, { anchors, required: required.has(member) }),
  );
  const additionalSchema = node.schema('additionalProperties');
  if (isJsonObject(additionalSchema)) rows.push(rowOf(page, 'any other name', additionalSchema));
  const { schemas = [], each = '' } = partsOf(node) ?? {};
  const [only, ...more] = schemas;
  const isAlone = only !== undefined && more.length === 0;
  for (const [index, part] of isAlone ? [] : schemas.entries())
    rows.push(rowOf(page, `${each} ${index + 1}`, part));
  const list =
    rows.length === 0
      ? html``
      : html`<ul class="tree">
          ${rows}
        </ul>`;
  const items = node.schema('items');
  return html`${enumeration(node.list('enum'))}${list}${isAlone && childrenOf(page, only, anchors)}${items !== undefined && childrenOf(page, items, noAnchors)}`;
}

/**
 * Renders a member, or with words instead of a name, a part of a schema.
 * @param member the anchors of members if it is a member, and whether it is required
 */
function rowOf(
  page: Page,
  name: string,
  schema: JsonSchema,
  member?: { readonly anchors: AnchorsOfMembers; readonly required: boolean },
): Html {
  const node = new SchemaNode(schema);
  const children = childrenOf(page, schema, noAnchors);
  const description = node.text('description');
  const about = description === undefined ? html`` : html`<p>${inline(description)}</p>`;
  const id = member?.anchors.get(name);
  member?.anchors.delete(name);
  const questions = questionsIn(schema);
  const title = member === undefined ? html`<i>${name}</i>` : html`<code>${name}</code>`;
  const details = [
    html`<span class="type">${typeText(page, schema)}</span>`,
    ...(member?.required === true ? [html`<span class="tag required">required</span>`] : []),
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
    ...constraints(node),
    ...(node.source.length === 0 ? [] : [sourceLinks(page, node.source)]),
  ];
  const nested = children.text.includes('<ul')
    ? html`<details class="nested" open>
        <summary>members</summary>
        ${children}
      </details>`
    : children;
  return html`<li${id === undefined ? undefined : html` id="${id}"`}><div class="row">${title} ${joinHtml(details, ' ')}</div>${about}${noteList(node.notes)}${
    questions.length === 0
      ? undefined
      : html`<div class="questions">
          ${joinEach(questions, ' ', (question) => questionLink(page, question))}
        </div>`
  }${nested}</li>`;
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

function constraints({ keywords }: SchemaNode): readonly Html[] {
  return narrowing.flatMap((keyword) => {
    const value = keywords[keyword];
    if (value === undefined || value === false) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [
      html`<span class="constraint"
        >${keyword}${value === true ? undefined : html` <code>${text}</code>`}</span
      >`,
    ];
  });
}

/** Renders the values of an enumeration: with their meanings as a table, else as a list. */
export function members(list: readonly EnumerationMember[], open: boolean): Html {
  const note =
    open && html`<p class="note">Open: values that are not listed are accepted and kept.</p>`;
  if (list.every(({ description }) => description === undefined))
    return html`<p class="choices">${joinEach(list, ' ', choice)}</p>
      ${note}`;
  const rows = list.map(
    ({ name, value, description }) =>
      html`<tr>
        <td><code>${JSON.stringify(value)}</code></td>
        <td><code>${name}</code></td>
        <td>${inline(description)}</td>
      </tr>`,
  );
  return html`${table('values', 'Values', ['Value', 'Name in code', 'Meaning'], rows)} ${note}`;
}

/** Renders a value without a meaning, with its name in code where that differs. */
function choice({ name, value }: EnumerationMember): Html {
  const inCode = name === value ? undefined : html` title="${name} in code"`;
  return html`<code${inCode}>${JSON.stringify(value)}</code>`;
}

function enumeration(values: readonly Json[] | undefined): Html {
  if (values === undefined) return html``;
  return html`<p class="choices">
    ${joinEach(values, ' ', (value) => html`<code>${JSON.stringify(value)}</code>`)}
  </p>`;
}
