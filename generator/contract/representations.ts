import { isJsonObject, optional } from '../json/json.ts';
import { kindOf } from '../specification/media-type.ts';
import type {
  MemberStyle,
  Notification,
  ReadData,
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
 * Adds to a notification what receivers read of it, which is the marked representation. What it had of another one is
 * left out.
 * @throws TypeError if no representation with a schema is marked
 */
export function withReadData<Stated extends StatedData>(notification: Stated): Stated & ReadData {
  const { encoding: _, memberStyles: __, ...others } = notification as Partial<ReadData>;
  return { ...(others as Stated), ...readData(notification) };
}

function readData({ name, representations }: StatedData): ReadData {
  const read = representations.find(({ isRead }) => isRead);
  if (read?.schema === undefined)
    throw new TypeError(`No representation of the notification ${name} is read.`);
  const encoding = encodingOf(read);
  return {
    contentType: read.mediaType,
    ...optional('encoding', encoding),
    ...optional('memberStyles', encoding && (read.memberStyles ?? formStyles(read))),
    payload: read.schema,
    examples: read.examples,
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
