import type { Contract, Notification } from '../contract/contract.ts';
import { quote } from '../diagnostics/quote.ts';
import { jsonLiteral } from '../json/json-literal.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { canonicalExpression } from '../recognition/exclusive-conditions.ts';
import { indexSchemas } from '../schema/references.ts';
import { expressionsOf } from './distinguishing-overlay.ts';

/** The most notifications that the help has a line for. */
const maxLines = 3;

/**
 * Returns help with the `x-identified-by` of the notifications that nothing excludes where another one of the group
 * declares a value; `undefined` where no notification declares one.
 */
export function helpToExclude(
  group: readonly Notification[],
  contract: Contract,
): string | undefined {
  const index = indexSchemas(contract);
  const stating = group.flatMap((other) =>
    valuesOf(other).map((value) => ({ ...value, name: other.name, id: other.id })),
  );
  if (stating.length === 0) return undefined;
  const lines: string[] = [];
  for (const notification of group) {
    if (lines.length === maxLines) break;
    const [kept, ...alternatives] = notification.identifiedBy;
    if (alternatives.length > 0) continue;
    const conditions = (kept ?? []).filter(
      ({ optional, expression }) => optional !== true && expression !== '$method',
    );
    const stated = new Set(conditions.map(({ expression }) => canonicalExpression(expression)));
    const others = new Set(notification.ambiguousWith);
    const named = stating.find(
      ({ expression, name }) => others.has(name) && !stated.has(canonicalExpression(expression)),
    );
    if (named === undefined) continue;
    const { id, expression, schema } = named;
    const hasMember = expressionsOf(notification, index).has(canonicalExpression(expression));
    const identification = jsonLiteral(
      Object.fromEntries([
        ...conditions.map((condition) => [condition.expression, condition.schema] as const),
        [expression, hasMember ? { not: schema } : false],
      ]),
    );
    const reason = hasMember
      ? `never has the value of ${quote(id)} there`
      : `never has this value, which identifies ${quote(id)}`;
    lines.push(
      `If a delivery of ${quote(notification.id)} ${reason}, add to ${quote(notification.id)}:\n\nx-identified-by: ${identification}`,
    );
  }
  return lines.length === 0 ? undefined : lines.join('\n\n');
}

/** A value that identifies a notification. */
interface IdentifyingValue {
  readonly expression: string;
  readonly schema: JsonObject;
}

/** Returns the values that the contract declares for every delivery of a notification. */
function valuesOf({ identifiedBy, identifiedByOrigin }: Notification): readonly IdentifyingValue[] {
  const [conditions = [], ...alternatives] = identifiedBy;
  if (alternatives.length > 0 || identifiedByOrigin === 'derived') return [];
  return conditions.flatMap(({ expression, schema, optional }) =>
    optional !== true &&
    expression !== '$method' &&
    isJsonObject(schema) &&
    ('const' in schema || 'enum' in schema)
      ? [{ expression, schema }]
      : [],
  );
}
