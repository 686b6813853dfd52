import { NameRegistry } from '../../contract/lower/names.ts';
import type { Code } from '../code.ts';
import { jsdoc } from '../jsdoc.ts';
import { isDeprecated } from '../webhooks/code-files.ts';
import type { WebhookPlan } from '../webhooks/plan.ts';

/** A decorator of methods that get one kind, or what can be of several. */
export interface Decorator {
  readonly name: string;
  /** What the receiver calls the handler. */
  readonly handler: string;
  readonly comment: Code;
}

/** Names beginning like decorators that the package has itself. */
const ownNames = ['OnOtherwise', 'OnInvalid'];

/** A decorator for each handler: `On` and the name of its type, or the next name that nothing has. */
export function planDecorators({ kinds, unions }: WebhookPlan): readonly Decorator[] {
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
    ...unions.map((union) => {
      const { name, kinds: members } = union;
      const listed = members.map(({ notification }) => notification.name).join(', ');
      return of(
        name.slice(0, 1).toUpperCase() + name.slice(1),
        name,
        `what can be any of ${listed}.`,
        isDeprecated(union),
      );
    }),
  ];
}
