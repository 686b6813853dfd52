import { Node, type SourceFile } from 'ts-morph';
import { statedProofs } from '../../contract/authentication.ts';
import type { Application } from './application-settings.ts';
import { pathOf, placeOf } from './application-sources.ts';
import { isTest } from './find-registration.ts';
import { importedAs } from './resolve-value.ts';
import type { SourcePlace } from './scaffold-error.ts';

/** A call with which an application authenticates deliveries otherwise than the contract states. */
export interface OtherStrategy {
  /** The name of the called function. */
  readonly name: string;
  readonly place: SourcePlace;
}

/**
 * Returns how an application authenticates deliveries if the contract states signatures or secrets for them and the
 * application verifies none of these. Returns `undefined` if it verifies one, or if its strategy is not from a generated package.
 * Tests do not count.
 */
export function findOtherStrategy(
  files: readonly SourceFile[],
  { contract, scope, authentication }: Application,
): OtherStrategy | undefined {
  const stated = statedProofs(contract);
  // The user chose another strategy for this run.
  if (!stated.some(({ scheme }) => scheme === authentication)) return undefined;
  const calls = files
    .filter((file) => !isTest(pathOf(file)))
    .flatMap((file) => file.getDescendants())
    .filter((node) => Node.isCallExpression(node))
    .flatMap((call) => {
      const imported = importedAs(call.getExpression());
      return imported?.module.startsWith(`${scope}/`) === true && isStrategy(imported.name)
        ? [{ name: imported.name, place: placeOf(call) }]
        : [];
    });
  if (calls.some(({ name }) => stated.some(({ verify }) => verify === name))) return undefined;
  return calls[0];
}

/** Returns whether a function of a generated package creates a strategy, also one of an earlier contract. */
function isStrategy(name: string): boolean {
  return /^(?:sharedSecret|unauthenticated|verify\p{Lu}.*)$/u.test(name);
}
