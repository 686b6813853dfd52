import {
  binaryTag,
  CORE_SCHEMA,
  EVENT_ID,
  getScalarValue,
  loadAll,
  mergeTag,
  omapTag,
  pairsTag,
  parseEvents,
  SCALAR_STYLE,
  setTag,
  YAMLException,
  type Event,
  type ScalarEvent,
} from 'js-yaml';
import { type Child, createLineIndex, type Positions } from './positions.ts';

/** The tags without an equivalent in JSON are read, so that a value with one of them is reported at its place. */
const schema = CORE_SCHEMA.withTags(mergeTag, binaryTag, omapTag, pairsTag, setTag);

/**
 * Reads a text with at most one YAML document. Returns `undefined` for a text without a document.
 * @throws YAMLException for the first syntax error, and where a limit is exceeded
 */
export function readYaml(
  text: string,
  limits: { readonly maxDepth: number; readonly maxAliases: number },
): unknown {
  const [document, ...otherDocuments] = loadAll(text, { schema, ...limits });
  if (otherDocuments.length === 0) return document;
  throw new YAMLException('expected a single document in the stream, but found more');
}

/** Finds places in a valid YAML text. Parses it again for the first place, because most files are never asked. */
export function createYamlPositions(text: string): Positions {
  let events: YamlEvents | undefined;
  const toPosition = createLineIndex(text);
  return {
    locate(members) {
      events ??= new YamlEvents(text);
      return toPosition(events.offsetOf(members));
    },
    textOf(members) {
      events ??= new YamlEvents(text);
      return events.textOf(members);
    },
  };
}

/** The events of a parsed text. The index of an event identifies the value that begins there. */
class YamlEvents {
  readonly #text: string;
  readonly #events: readonly Event[];
  /** The index of the last event of each value. */
  readonly #ends: readonly number[];
  /** The values that aliases refer to. */
  readonly #targets = new Map<number, number>();
  readonly #children = new Map<number, ReadonlyMap<string, Child>>();

  constructor(text: string) {
    this.#text = text;
    this.#events = parseEvents(text, { maxDepth: Infinity });
    const ends = this.#events.map((_, index) => index);
    const open: number[] = [];
    // An anchor can be written again. An alias refers to the last one before it.
    const anchors = new Map<string, number>();
    for (const [index, event] of this.#events.entries()) {
      if (event.type === EVENT_ID.POP) ends[open.pop() ?? 0] = index;
      else if (event.type < EVENT_ID.SCALAR) open.push(index);
      if (!('anchorStart' in event) || event.anchorStart < 0) continue;
      const anchor = text.slice(event.anchorStart, event.anchorEnd);
      if (event.type !== EVENT_ID.ALIAS) anchors.set(anchor, index);
      else this.#targets.set(index, anchors.get(anchor) ?? index);
    }
    this.#ends = ends;
  }

  /** Returns the offset of a member's key or of an item; for one that is not written, that of its nearest parent. */
  offsetOf(members: readonly string[]): number {
    // The first event is the document.
    let value = 1;
    let offset = this.#startOf(value) ?? 0;
    for (const member of members) {
      const child = this.#childrenOf(this.#targets.get(value) ?? value).get(member);
      if (child === undefined) break;
      offset = this.#startOf(child.place) ?? offset;
      value = child.value;
    }
    return offset;
  }

  /** Returns the text of a scalar without quotes and tag; `undefined` for another value. */
  textOf(members: readonly string[]): string | undefined {
    let value = 1;
    for (const member of members) {
      const child = this.#childrenOf(this.#targets.get(value) ?? value).get(member);
      if (child === undefined) return undefined;
      value = child.value;
    }
    const event = this.#events[this.#targets.get(value) ?? value];
    return event?.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN
      ? getScalarValue(this.#text, event)
      : undefined;
  }

  /** Returns the members of a mapping by name, or the items of a list by index. */
  #childrenOf(holder: number): ReadonlyMap<string, Child> {
    const cachedChildren = this.#children.get(holder);
    if (cachedChildren !== undefined) return cachedChildren;
    const children = new Map<string, Child>();
    this.#children.set(holder, children);
    const isMap = this.#events[holder]?.type === EVENT_ID.MAPPING;
    if (!isMap && this.#events[holder]?.type !== EVENT_ID.SEQUENCE) return children;
    const end = this.#endOf(holder);
    for (let place = holder + 1; place < end;) {
      const value = isMap ? this.#endOf(place) + 1 : place;
      children.set(isMap ? this.#nameOf(place) : String(children.size), { place, value });
      place = this.#endOf(value) + 1;
    }
    return children;
  }

  #nameOf(key: number): string {
    const event = this.#events[key];
    if (event?.type !== EVENT_ID.SCALAR) return '';
    const name = getScalarValue(this.#text, event);
    // The number `1.0` becomes the name `1`.
    const isNumber = event.style === SCALAR_STYLE.PLAIN && /^[-+.\d]/u.test(name);
    return isNumber && Number.isFinite(Number(name)) ? String(Number(name)) : name;
  }

  #endOf(value: number): number {
    return this.#ends[value] ?? value;
  }

  /** Returns where a value begins; `undefined` for one that is not written. */
  #startOf(value: number): number | undefined {
    const event = this.#events[value];
    if (event === undefined) return undefined;
    if ('start' in event) return event.start;
    if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
    return event.type === EVENT_ID.SCALAR && event.valueStart >= 0
      ? this.#startOfScalar(event)
      : undefined;
  }

  #startOfScalar({ style, valueStart }: ScalarEvent): number {
    switch (style) {
      case SCALAR_STYLE.PLAIN:
        return valueStart;
      case SCALAR_STYLE.LITERAL_BLOCK:
        return this.#text.lastIndexOf('|', valueStart - 1);
      case SCALAR_STYLE.FOLDED_BLOCK:
        return this.#text.lastIndexOf('>', valueStart - 1);
      default:
        return valueStart - 1;
    }
  }
}
