import { isJsonObject, optional } from '../json/json.ts';
import { formType, isRangeOfText, kindOf } from '../specification/media-type.ts';
import type {
  MemberStyle,
  Notification,
  ReadData,
  Reading,
  Representation,
  StatedRepresentation,
} from './contract.ts';
import { describeContent } from './media-types.ts';
import type { SchemaIndex } from '../schema/references.ts';

/** Adds to what the contract states of a representation what its media type and its schema mean. */
export function describeRepresentation(
  representation: StatedRepresentation,
  index: SchemaIndex,
): Representation {
  return { ...representation, ...describeContent(representation, index) };
}

/** A notification as the contract states its data. */
interface StatedData extends Pick<Notification, 'name'> {
  readonly representations: readonly StatedRepresentation[];
}

/**
 * Adds to a notification what receivers read of it, from the representation that is marked and the others that they read.
 * What it had of others is left out.
 * @throws TypeError if no representation with a schema is marked
 */
export function withReadData<Stated extends StatedData>(notification: Stated): Stated & ReadData {
  const { encoding: _, memberStyles: __, ...others } = notification as Partial<ReadData>;
  return { ...(others as Stated), ...readData(notification) };
}

function readData({ name, representations }: StatedData): ReadData {
  const read = representations.find(({ isRead }) => isRead);
  const others = readRepresentations(representations).filter((one) => one !== read);
  const [reading, ...more] = [read, ...others].flatMap((one) =>
    one === undefined ? [] : [...toReadings(one)],
  );
  if (read === undefined || reading === undefined)
    throw new TypeError(`No representation of the notification ${name} is read.`);
  const { mediaType, schema, range: _, ...written } = reading;
  return {
    readings: [reading, ...more],
    contentType: mediaType,
    ...written,
    payload: read.union ?? schema,
    examples: read.examples,
  };
}

/**
 * Returns the representations of a notification that receivers read: JSON, forms and the query. If there are none, the
 * marked one, which is read as JSON.
 */
export function readRepresentations(
  representations: readonly StatedRepresentation[],
): readonly StatedRepresentation[] {
  const read = representations.filter(
    ({ isQuery, mediaType }) =>
      isQuery === true || isRangeOfText(mediaType) || ['json', 'form'].includes(kindOf(mediaType)),
  );
  return read.length === 0 ? representations.filter(({ isRead }) => isRead) : read;
}

function* toReadings(one: StatedRepresentation): Generator<Reading> {
  const { isFormToo, mediaType, schema } = one;
  if (schema === undefined) return;
  const encoding = encodingOf(one);
  const memberStyles = one.memberStyles ?? formStyles(one);
  yield {
    mediaType,
    ...optional('encoding', encoding),
    ...optional('memberStyles', encoding && memberStyles),
    schema,
  };
  if (isFormToo === true)
    yield {
      mediaType: formType,
      range: mediaType,
      encoding: 'form',
      ...optional('memberStyles', memberStyles),
      schema,
    };
}

function encodingOf({ isQuery, mediaType }: StatedRepresentation): ReadData['encoding'] {
  if (isQuery) return 'query';
  return kindOf(mediaType) === 'form' ? 'form' : undefined;
}

/** Returns the styles that OpenAPI's Encoding Objects of a form state. */
function formStyles({ encoding = {} }: StatedRepresentation): Notification['memberStyles'] {
  const styles = Object.entries(encoding).flatMap(([name, of]): [string, MemberStyle][] => {
    if (!isJsonObject(of)) return [];
    const { style, explode } = of;
    if (typeof style !== 'string' && typeof explode !== 'boolean') return [];
    const stated = typeof style === 'string' ? style : 'form';
    return [
      [
        name,
        { style: stated, explode: typeof explode === 'boolean' ? explode : stated === 'form' },
      ],
    ];
  });
  return styles.length === 0 ? undefined : Object.fromEntries(styles);
}
