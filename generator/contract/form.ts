import { isJsonObject, type JsonObject } from '../json/json.ts';
import {
  bodyProperties,
  type BodyProperty,
  hasOtherProperties,
  isFlat,
} from '../schema/declared-properties.ts';
import type { SchemaIndex } from '../schema/references.ts';
import type { Form, FormField, StatedContent } from './contract.ts';

/** Describes how a form is written. */
export function describeForm(media: StatedContent, index: SchemaIndex): Form {
  const properties = media.schema === undefined ? [] : bodyProperties(index, media.schema);
  const names = new Set(properties.map(({ name }) => name));
  const isOpen = hasOtherProperties(index, media.schema);
  // `encoding` states how members of alternatives are written, too.
  const others = isOpen ? Object.keys(media.encoding ?? {}).filter((name) => !names.has(name)) : [];
  return {
    fields: [
      ...properties.flatMap(
        ({ name, schema }) => describeField(name, schema, encodingOf(media, name), index) ?? [],
      ),
      ...others.flatMap((name) => {
        const field = describeField(name, true, encodingOf(media, name), index);
        return field === undefined || field.style === 'jsonItems' ? [] : [field];
      }),
    ],
    isOpen,
  };
}

/** Returns the Encoding Object of a property; an empty object where there is none. */
export function encodingOf({ encoding }: StatedContent, name: string): JsonObject {
  const propertyEncoding =
    encoding !== undefined && Object.hasOwn(encoding, name) ? encoding[name] : undefined;
  return isJsonObject(propertyEncoding) ? propertyEncoding : {};
}

/** Describes a property of a form; `undefined` for scalars and arrays of scalars that have no style. */
function describeField(
  name: string,
  schema: BodyProperty['schema'],
  encoding: JsonObject,
  index: SchemaIndex,
): FormField | undefined {
  const { style: wanted = 'form', explode, allowReserved } = encoding;
  const hasStyle = ['style', 'explode', 'allowReserved'].some((key) =>
    Object.hasOwn(encoding, key),
  );
  const style = hasStyle ? formStyles.find((candidate) => candidate === wanted) : undefined;
  if (style === undefined) {
    if (isFlat(index, schema)) return undefined;
    return { name, style: 'jsonItems', explode: false, reserved: false };
  }
  return {
    name,
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form',
    reserved: allowReserved === true,
  };
}

const formStyles = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const;
