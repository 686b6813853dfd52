import type { Parameter } from '../contract.ts';
import type { Cursor } from '../../json/cursor.ts';
import { pointerMembers } from '../../json/pointer.ts';
import { withTraits } from '../../specification/traits.ts';
import type { LoweringContext } from './lowering-context.ts';
import { lowerHeaderSchema } from './parameters.ts';

/** Returns the headers of a message, followed by those of its traits. Names are compared without regard to case. */
export function lowerMessageHeaders(
  message: Cursor,
  context: LoweringContext,
): readonly Parameter[] {
  const headersByName = new Map<string, Parameter>();
  for (const headers of headersOf(message)) {
    for (const header of lowerHeaderSchema(headers, context)) {
      const name = header.name.toLowerCase();
      if (!headersByName.has(name)) headersByName.set(name, header);
    }
  }
  return [...headersByName.values()];
}

/**
 * Returns the name of the schema of a message's headers as one object; `undefined` where neither the message nor a
 * trait has headers.
 */
export function lowerMessageHeadersSchema(
  message: Cursor,
  typeName: string,
  { schemas }: LoweringContext,
): string | undefined {
  const parts = headersOf(message);
  const [first, ...otherParts] = parts;
  if (first === undefined) return undefined;
  const values = parts.flatMap(({ value }) => value ?? []);
  const at =
    otherParts.length === 0 ? first : message.child('headers').withValue({ allOf: values });
  const isOwn = at.pointer.startsWith(`${message.pointer}/`);
  const trait = isOwn ? undefined : componentName(at);
  return schemas.nameAt(at, `${trait ?? typeName} Headers`);
}

/** Returns the name of the component, such as a trait, that contains a place; `undefined` outside `components`. */
export function componentName({ pointer }: Cursor): string | undefined {
  const [section, , name] = pointerMembers(pointer);
  return section === 'components' ? name : undefined;
}

function headersOf(message: Cursor): readonly Cursor[] {
  return withTraits(message)
    .map((part) => part.child('headers'))
    .filter(({ value }) => value !== undefined);
}
