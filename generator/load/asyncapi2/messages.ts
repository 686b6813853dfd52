import { referenceOf } from '../../json/descend.ts';
import { pointerMembers } from '../../json/pointer.ts';
import { splitReference } from '../../json/split-reference.ts';
import {
  type MutableJson,
  type MutableObject,
  isMutableObject,
  writtenReference,
} from '../origins.ts';
import { readSchemaFormat } from '../../specification/schema-format.ts';
import { documentNameOf } from '../document-name.ts';
import { type Edits, freeName, itemsOf } from './edits.ts';

/** A message of an operation, and its name among the messages of the channel. */
export interface NamedMessage {
  readonly name: string;
  readonly message: MutableObject;
}

/**
 * Converts the messages of AsyncAPI 2. A message that is written in another file becomes a component, so that every
 * operation with the message refers to one place.
 */
export class MessageConversion {
  readonly #edits: Edits;
  readonly #converted = new WeakSet<MutableObject>();
  readonly #ids = new WeakMap<MutableObject, string>();
  readonly #components = new Map<string, string>();

  constructor(edits: Edits) {
    this.#edits = edits;
  }

  /** Returns the messages of an operation: one, or the alternatives of `oneOf`. */
  ofOperation(declaration: MutableJson | undefined, fallback: string): readonly NamedMessage[] {
    const messages = this.#alternatives(declaration, new Set());
    return messages.map((message, index) => {
      this.convert(message);
      const fallbackName = messages.length === 1 ? fallback : `${fallback} ${index + 1}`;
      const name = this.#nameOf(message) ?? fallbackName;
      return { name, message: this.#asComponent(message, name) };
    });
  }

  /** Converts a message in place, once. */
  convert(message: MutableObject): void {
    if (this.#converted.has(message) || referenceOf(message) !== undefined) return;
    this.#converted.add(message);
    const { messageId, name } = message;
    if (typeof messageId === 'string') {
      this.#ids.set(message, messageId);
      if (name === undefined) this.#edits.move(message, 'messageId', message, 'name');
      delete message.messageId;
    }
    this.#convertFormat(message);
    keepTraitOrder(message, this.#edits);
    for (const trait of itemsOf(message.traits)) {
      if (isMutableObject(trait)) this.convertTrait(trait);
    }
    for (const example of itemsOf(message.examples)) {
      if (!isMutableObject(example) || 'payload' in example || 'headers' in example) continue;
      this.#edits.report(
        'lost-in-conversion',
        'The example has neither `payload` nor `headers`, so that it is left out.',
        example,
      );
    }
  }

  /** Removes from a trait what only a message can have. */
  convertTrait(trait: MutableObject): void {
    // The messages that use the trait have taken its format.
    delete trait.schemaFormat;
    if (trait.messageId === undefined) return;
    this.#edits.report(
      'lost-in-conversion',
      'A trait of AsyncAPI 3 has no `messageId`; the messages with the trait keep their own names.',
      trait,
      'messageId',
    );
    delete trait.messageId;
  }

  /** Returns each message once, however many references lead to it; a component can have alternatives itself. */
  #alternatives(
    message: MutableJson | undefined,
    seen: Set<MutableObject>,
  ): readonly MutableObject[] {
    if (!isMutableObject(message)) return [];
    const target = this.#edits.resolve(message) ?? message;
    if (seen.has(target)) return [];
    seen.add(target);
    if (!Array.isArray(target.oneOf)) return [message];
    return target.oneOf.flatMap((item) => this.#alternatives(item, seen));
  }

  /** In AsyncAPI 2 a format belongs to the message, in AsyncAPI 3 to the schema. A trait overrides the message. */
  #convertFormat(message: MutableObject): void {
    const formats = [message, ...itemsOf(message.traits).map((trait) => this.#edits.resolve(trait))]
      .filter((part) => part !== undefined)
      .filter(({ schemaFormat }) => typeof schemaFormat === 'string');
    const holder = formats.at(-1);
    const format = holder?.schemaFormat;
    const { origins } = this.#edits.context;
    if (
      holder !== undefined &&
      typeof format === 'string' &&
      message.payload !== undefined &&
      readSchemaFormat(format)?.of !== 'asyncapi'
    ) {
      const at = origins.ofMember(message, 'payload') ?? origins.of(message);
      const wrapper = this.#edits.object(at);
      this.#edits.set(wrapper, 'schemaFormat', format, origins.ofMember(holder, 'schemaFormat'));
      this.#edits.move(message, 'payload', wrapper, 'schema');
      message.payload = wrapper;
    }
    delete message.schemaFormat;
  }

  #nameOf(message: MutableObject): string | undefined {
    const local = referenceOf(message);
    if (local !== undefined) {
      const target = this.#edits.resolve(message);
      return (target && this.#idOf(target)) ?? pointerMembers(local).at(-1);
    }
    const declaredName = this.#idOf(message) ?? this.#target(message)?.name ?? message.name;
    return typeof declaredName === 'string' ? declaredName : undefined;
  }

  #idOf(message: MutableObject): string | undefined {
    const { messageId } = message;
    return this.#ids.get(message) ?? (typeof messageId === 'string' ? messageId : undefined);
  }

  /** Returns a reference for a message of another file, which becomes a component; any other message as it is. */
  #asComponent(message: MutableObject, name: string): MutableObject {
    const target = this.#target(message);
    if (target === undefined) return message;
    const { root, context } = this.#edits;
    const origin = context.origins.of(message);
    const componentKey = this.#components.get(target.place);
    if (componentKey !== undefined)
      return this.#edits.reference(origin, 'components', 'messages', componentKey);
    const components = (root.components ??= {});
    if (!isMutableObject(components)) return message;
    const messages = (components.messages ??= {});
    if (!isMutableObject(messages)) return message;
    const key = freeName(messages, name.replaceAll(/[^\w.-]+/gu, '-'));
    messages[key] = message;
    this.#components.set(target.place, key);
    return this.#edits.reference(origin, 'components', 'messages', key);
  }

  /** Returns where the message of another file is written, which bundling put in the place of its reference. */
  #target(message: MutableObject): { readonly place: string; readonly name: string } | undefined {
    const { origins, sources } = this.#edits.context;
    const origin = origins.of(message);
    if (origin === undefined || referenceOf(message) !== undefined) return undefined;
    const { reference = '', target } = writtenReference(sources, origin) ?? {};
    if (typeof target !== 'object') return undefined;
    const { uri, members: inside } = splitReference(reference);
    const name = inside.at(-1) ?? documentNameOf(uri);
    return { place: JSON.stringify([target.source.path, target.members]), name };
  }
}

/**
 * Keeps the precedence of traits. In AsyncAPI 2 a trait overrides the object that has it; in AsyncAPI 3 the object
 * overrides its traits, and a later trait an earlier one. What both have moves from the object into a new first trait.
 */
export function keepTraitOrder(holder: MutableObject, edits: Edits): void {
  const { traits } = holder;
  if (!Array.isArray(traits) || traits.length === 0) return;
  const resolved = traits.map((trait) => edits.resolve(trait));
  const shared = Object.keys(holder).filter(
    (member) => member !== 'traits' && resolved.some((trait) => trait?.[member] !== undefined),
  );
  if (shared.length === 0) return;
  const firstTrait = edits.object(edits.context.origins.of(holder));
  for (const member of shared) edits.move(holder, member, firstTrait);
  traits.unshift(firstTrait);
}
