import type { Json } from '../json/json.ts';
import { dataFormats } from '../recognition/data-format.ts';
import { indexSchemas, toReference } from '../schema/references.ts';
import { shapeOf } from '../schema/value-shape.ts';
import type { Contract, MemberStyle, Notification } from './contract.ts';
import { wireNames } from './events.ts';

/**
 * Describes for a receiver how the data of a kind is written; `undefined` if it is JSON. The runtime calls it
 * `KindFields`.
 */
export function describeFields(contract: Contract, notification: Notification): Json | undefined {
  const [format = 'json', ...others] = dataFormats(notification);
  const forms = notification.readings.filter(({ encoding }) => encoding !== undefined);
  const [first] = forms;
  if (first === undefined)
    return format === 'xml' || format === 'any' ? { in: format, fields: {} } : undefined;
  const { encoding } = first;
  // Forms that differ in the parameters of their media type.
  const memberStyles = Object.assign({}, ...forms.map((one) => one.memberStyles)) as Readonly<
    Record<string, MemberStyle>
  >;
  const wires = wireNames(contract);
  const index = indexSchemas(contract);
  const schemas = forms.map(({ schema }) => toReference(wires.get(schema) ?? schema));
  const shape = shapeOf(index, { anyOf: schemas });
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
