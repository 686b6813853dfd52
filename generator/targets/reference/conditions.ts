import type { Condition, Conditions } from '../../schema/model.ts';
import { type Json, isJsonObject } from '../../json/json.ts';
import { type Html, html, joinHtml } from './html.ts';

/**
 * Renders alternatives of conditions as a list. Conditions that all alternatives share are listed once, before the
 * rest.
 */
export function conditionsList(alternatives: readonly Conditions[]): Html {
  const [first = []] = alternatives;
  const shared = first.filter((condition) =>
    alternatives.every((conditions) => conditions.some((other) => same(condition, other))),
  );
  const rest = alternatives.map((conditions) =>
    conditions.filter((condition) => !shared.some((other) => same(condition, other))),
  );
  const rows = shared.map((condition) => html`<li>${conditionText(condition)}</li>`);
  if (rest.some((conditions) => conditions.length > 0)) {
    const options = rest.map(
      (conditions) => html`<li>${joinHtml(conditions.map(conditionText), ' and ')}</li>`,
    );
    rows.push(
      html`<li>
        and any of
        <ul>
          ${options}
        </ul>
      </li>`,
    );
  }
  return html`<ul class="conditions">
    ${rows}
  </ul>`;
}

function same(one: Condition, other: Condition): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Renders a condition in words. */
export function conditionText({ expression, schema }: Condition): Html {
  const place = expression
    .replace(/^\$request\.body#\//u, '')
    .replace(/^\$request\.header\./u, 'header ')
    .replace(/^\$request\.body#?$/u, 'the body');
  return html`<code>${place}</code> ${predicate(schema)}`;
}

function predicate(schema: Json): Html {
  if (schema === false) return html`is absent`;
  if (!isJsonObject(schema) || Object.keys(schema).length === 0) return html`is there`;
  const { const: value, enum: values, type, not, ...rest } = schema;
  if (Object.keys(rest).length === 0) {
    if (Object.hasOwn(schema, 'const')) return html`is <code>${JSON.stringify(value)}</code>`;
    if (Array.isArray(values)) return html`is one of ${list(values as readonly Json[])}`;
    if (typeof type === 'string') return type === 'null' ? html`is null` : html`is of type ${type}`;
    if (isJsonObject(not) && Array.isArray(not['enum']) && Object.keys(not).length === 1) {
      return html`is none of ${list(not['enum'] as readonly Json[])}`;
    }
  }
  return html`matches <code>${JSON.stringify(schema)}</code>`;
}

function list(values: readonly Json[]): Html {
  return joinHtml(
    values.map((value) => html`<code>${JSON.stringify(value)}</code>`),
    ', ',
  );
}

/**
 * Returns whether a body meets conditions. Supports boolean schemas and the keywords `type`, `const` and `enum`. A
 * condition with another keyword, or on anything but the body, counts as not met. Does not recognise `type: integer`,
 * and ignores lists of types.
 */
export function meets(body: Json, conditions: Conditions): boolean {
  return conditions.every(({ expression, schema }) => {
    const pointer = /^\$request\.body#(.*)$/u.exec(expression)?.[1];
    if (pointer === undefined) return false;
    const value = valueAt(body, pointer);
    if (schema === false) return value === undefined;
    if (value === undefined) return false;
    if (schema === true) return true;
    const { type, const: constant, enum: values, ...rest } = schema;
    if (Object.keys(rest).length > 0) return false;
    if (typeof type === 'string' && type !== typeOf(value)) return false;
    if (Array.isArray(values) && !(values as readonly Json[]).some((one) => equal(one, value)))
      return false;
    return constant === undefined || equal(constant, value);
  });
}

function valueAt(body: Json, pointer: string): Json | undefined {
  let at: Json | undefined = body;
  for (const member of pointer.split('/').slice(1)) {
    const name = member.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = (at as readonly Json[])[Number(name)];
    else at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

function equal(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
