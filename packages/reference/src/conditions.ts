import type { Condition } from 'countersign';
import { isJsonObject } from 'countersign/companion/values';
import type { Json } from 'countersign/kit';
import { type Html, html, joinEach } from './html.ts';

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
  const { const: value, enum: values, type, not, pattern, ...rest } = schema;
  if (Object.keys(rest).length === 0) {
    const isText = type === undefined || type === 'string';
    const isAlone = value === undefined && values === undefined && not === undefined;
    if (typeof pattern === 'string') {
      return isText && isAlone
        ? html`matches the pattern <code>${pattern}</code>`
        : html`matches <code>${JSON.stringify(schema)}</code>`;
    }
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
  return joinEach(values, ', ', (value) => html`<code>${JSON.stringify(value)}</code>`);
}
