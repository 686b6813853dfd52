import { quote } from '../diagnostics/quote.ts';
import type { Cursor } from '../json/cursor.ts';
import { pointerMembers } from '../json/pointer.ts';
import type { Documents } from '../documents/documents.ts';
import { cursorAt, placesOf } from '../documents/places.ts';
import { serversOf } from '../specification/servers.ts';
import { inherited } from '../specification/traits.ts';
import type { Rule } from './rule.ts';

/**
 * Checks that each signature is required by something. Otherwise, receivers would not verify it, although the author
 * stated it.
 */
export const unusedSignatures: Rule = {
  codes: ['unused-signature'],
  *check({ documents }) {
    const signed = placesOf(documents, 'security-scheme').flatMap((scheme) =>
      ['x-signature', 'x-body-signature']
        .filter((key) => scheme.valueIn(key) !== undefined)
        .map((key) => ({ scheme, pointer: scheme.child(key).pointer })),
    );
    if (signed.length === 0) return;
    const used = new Set([...openapiSchemes(documents), ...asyncapiSchemes(documents)]);
    const answers = (documents.pendingActions ?? []).map(({ update }) => JSON.stringify(update));
    for (const { scheme, pointer } of signed) {
      const [, section, name = ''] = pointerMembers(scheme.pointer);
      if (section !== 'securitySchemes')
        yield {
          pointer,
          message: 'The signature is in a list of requirements, where it has no effect.',
          help: 'Move the scheme to `securitySchemes` of the components, and refer to it with `$ref`.',
        };
      // An answer to an open question can require it.
      else if (!used.has(name) && !answers.some((update) => mentions(update, name)))
        yield {
          pointer,
          message: `Nothing requires the signature ${quote(name)}, so it is never created or verified.`,
        };
    }
  },
};

/** Returns the names of the schemes that an OpenAPI document requires. */
function openapiSchemes(documents: Documents): readonly string[] {
  const operations = placesOf(documents, 'operation').filter(({ pointer }) =>
    pointer.startsWith('openapi#'),
  );
  return [cursorAt(documents, 'openapi#'), ...operations].flatMap((holder) =>
    holder.items('security').flatMap((requirement) => requirement.entries().map(([name]) => name)),
  );
}

/** Returns the names of the schemes that the operations of an AsyncAPI document and their servers require. */
function asyncapiSchemes(documents: Documents): readonly string[] {
  const root = cursorAt(documents, 'asyncapi#');
  return root.entries('operations').flatMap(([, entry]) => {
    const operation = entry.follow();
    const servers = serversOf(root, operation.child('channel').follow());
    const lists: readonly Cursor[] = [
      inherited(operation, 'security'),
      ...servers.map((server) => server.child('security')),
    ];
    return lists.flatMap((list) =>
      list.items().map((scheme) => pointerMembers(scheme.follow().pointer).at(-1) ?? ''),
    );
  });
}

/** Returns whether an update refers to a scheme: as the name of a requirement, or with `$ref`. */
function mentions(update: string, name: string): boolean {
  const quotedName = JSON.stringify(name);
  return update.includes(quotedName) || update.includes(`/securitySchemes/${quotedName.slice(1)}`);
}
