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
  return {
    fields: properties.flatMap(
      (property) => describeField(property, encodingOf(media, property.name), index) ?? [],
    ),
    isOpen: hasOtherProperties(index, media.schema),
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
  { name, schema }: BodyProperty,
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
