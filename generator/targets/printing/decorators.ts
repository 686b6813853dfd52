import { NameRegistry } from '../../contract/names.ts';
import type { Code } from '../code.ts';
import { jsdoc } from '../jsdoc.ts';
import type { Events } from '../../contract/events.ts';

/** A NestJS decorator for the methods that handle one kind, or a union of kinds. */
export interface Decorator {
  readonly name: string;
  /** The name of the handler in the receiver's options. */
  readonly handler: string;
  readonly comment: Code;
}

/** Names of decorators that the NestJS package always exports. */
const ownNames = ['OnOtherwise', 'OnInvalid'];

/**
 * Returns a decorator for each handler. Its name is `On` and the name of the type, with a number if that name is taken.
 */
export function planDecorators({ kinds, unions }: Events): readonly Decorator[] {
  const names = new NameRegistry<string>();
  for (const name of ownNames) names.claim(name, name);
  for (const { eventType } of [...kinds, ...unions]) names.claim(eventType, eventType);
  const of = (
    typeName: string,
    handler: string,
    about: string,
    deprecated: boolean,
  ): Decorator => ({
    name: names.claimFree(`On${typeName}`, handler),
    handler,
    comment: jsdoc({ summary: `Marks the method for ${about}`, deprecated }),
  });
  return [
    ...kinds.map(({ notification: { name, typeName, deprecated, summary = '' } }) =>
      of(typeName, name, summary === '' ? `${name}.` : `${name}: ${summary}`, deprecated),
    ),
    ...unions.map(({ name, typeName, summary, deprecated }) =>
      of(typeName, name, `${name}. ${summary}`, deprecated),
    ),
  ];
}
