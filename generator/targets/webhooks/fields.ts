import type { Contract, MemberStyle, Notification } from '../../contract/contract.ts';
import type { Json } from '../../json/json.ts';
import { indexSchemas } from '../../schema/references.ts';
import { shapeOf } from '../value-shape.ts';
import { wireSchema } from './plan.ts';

/**
 * Describes for a receiver how the data of a kind is written in a form or a query; `undefined` if it is JSON. The
 * runtime calls it `KindFields`.
 */
export function describeFields(contract: Contract, notification: Notification): Json | undefined {
  const { encoding, memberStyles = {} } = notification;
  if (encoding === undefined) return undefined;
  const shape = shapeOf(indexSchemas(contract), wireSchema(contract, notification).definition);
  const fields = Object.entries(shape.properties ?? {}).map(([name, member]) => {
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
  return { in: encoding === 'query' ? 'query' : 'body', fields: Object.fromEntries(fields) };
}

function delimiterOf({ style, explode }: MemberStyle): { readonly delimiter?: string } {
  if (style === 'spaceDelimited') return { delimiter: ' ' };
  if (style === 'pipeDelimited') return { delimiter: '|' };
  return style === 'form' && !explode ? { delimiter: ',' } : {};
}
