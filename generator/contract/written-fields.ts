import type { Json } from '../json/json.ts';
import { dataFormats } from '../recognition/data-format.ts';
import { findSchema, indexSchemas } from '../schema/references.ts';
import { shapeOf } from '../schema/value-shape.ts';
import type { Contract, MemberStyle, Notification } from './contract.ts';
import { wireNames } from './events.ts';

/**
 * Describes for a receiver how the data of a kind is written; `undefined` if it is JSON. The runtime calls it
 * `KindFields`.
 */
export function describeFields(contract: Contract, notification: Notification): Json | undefined {
  const [format = 'json', ...others] = dataFormats(notification);
  const fields = notification.readings.find(({ encoding }) => encoding !== undefined);
  if (fields === undefined)
    return format === 'xml' || format === 'any' ? { in: format, fields: {} } : undefined;
  const { encoding, memberStyles = {}, schema } = fields;
  const wire = wireNames(contract).get(schema) ?? schema;
  const index = indexSchemas(contract);
  const shape = shapeOf(index, findSchema(index, wire).definition);
  const members = Object.entries(shape.properties ?? {}).map(([name, member]) => {
    const style = Object.hasOwn(memberStyles, name) ? memberStyles[name] : undefined;
    const isSpread =
      member.types.includes('object') &&
      (style === undefined ? encoding === 'query' : style.style === 'form' && style.explode);
    return [
      name,
      {
        shape: JSON.parse(JSON.stringify(member)) as Json,
        ...(style === undefined ? {} : delimiterOf(style)),
        ...(isSpread ? { spread: true } : {}),
      },
    ] as const;
  });
  return {
    in: encoding === 'query' ? 'query' : 'body',
    ...([format, ...others].includes('json') ? { isJson: true } : {}),
    fields: Object.fromEntries(members),
    ...(shape.others === undefined
      ? {}
      : { others: JSON.parse(JSON.stringify(shape.others)) as Json }),
  };
}

function delimiterOf({ style, explode }: MemberStyle): { readonly delimiter?: string } {
  if (style === 'spaceDelimited') return { delimiter: ' ' };
  if (style === 'pipeDelimited') return { delimiter: '|' };
  return style === 'form' && !explode ? { delimiter: ',' } : {};
}
