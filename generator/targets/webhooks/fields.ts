import type { Contract, MemberStyle, Notification } from '../../contract/contract.ts';
import type { Json } from '../../json/json.ts';
import { dataFormat } from '../../recognition/data-format.ts';
import { indexSchemas } from '../../schema/references.ts';
import { shapeOf } from '../../schema/value-shape.ts';
import { wireSchema } from '../../contract/events.ts';

/**
 * Describes for a receiver how the data of a kind is written; `undefined` if it is JSON. The runtime calls it
 * `KindFields`.
 */
export function describeFields(contract: Contract, notification: Notification): Json | undefined {
  const { memberStyles = {} } = notification;
  const format = dataFormat(notification);
  if (format === 'json') return undefined;
  if (format === 'xml' || format === 'any') return { in: format, fields: {} };
  const shape = shapeOf(indexSchemas(contract), wireSchema(contract, notification).definition);
  const fields = Object.entries(shape.properties ?? {}).map(([name, member]) => {
    const style = Object.hasOwn(memberStyles, name) ? memberStyles[name] : undefined;
    const isSpread =
      member.types.includes('object') &&
      (style === undefined ? format === 'query' : style.style === 'form' && style.explode);
    return [
      name,
      {
        shape: JSON.parse(JSON.stringify(member)) as Json,
        ...(style === undefined ? {} : delimiterOf(style)),
        ...(isSpread ? { spread: true } : {}),
      },
    ] as const;
  });
  return { in: format === 'query' ? 'query' : 'body', fields: Object.fromEntries(fields) };
}

function delimiterOf({ style, explode }: MemberStyle): { readonly delimiter?: string } {
  if (style === 'spaceDelimited') return { delimiter: ' ' };
  if (style === 'pipeDelimited') return { delimiter: '|' };
  return style === 'form' && !explode ? { delimiter: ',' } : {};
}
