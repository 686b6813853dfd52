import type { Contract } from '../contract/contract.ts';
import type { Pointer } from '../json/pointer.ts';
import type { Target, TargetContext } from '../targets/target.ts';

/**
 * Runs a target that has failed once more, and returns the place of the last part of the contract that it reads before
 * it fails again. Returns `undefined` if it does not fail in the same way, or has read no part.
 * @param message the message of the failure
 */
export async function findLastRead(
  target: Target,
  contract: Contract,
  context: TargetContext,
  message: string,
): Promise<Pointer | undefined> {
  let last: Pointer | undefined;
  const observed = observe(contract, (pointer) => {
    last = pointer;
  });
  try {
    for await (const { path } of target.emit(observed, context)) void path;
  } catch (error) {
    return error instanceof Error && error.message === message ? last : undefined;
  }
  return undefined;
}

/** Returns a copy of a contract that reports the pointer of a part whenever a member of the part is read. */
function observe(contract: Contract, onRead: (pointer: Pointer) => void): Contract {
  const observeAll = <Part extends { readonly pointer: Pointer }>(
    parts: readonly Part[],
  ): readonly Part[] =>
    parts.map(
      (part) =>
        new Proxy(part, {
          get(of, member) {
            onRead(of.pointer);
            return Reflect.get(of, member) as unknown;
          },
        }),
    );
  return {
    ...contract,
    schemas: observeAll(contract.schemas),
    operations: observeAll(contract.operations),
    notifications: observeAll(contract.notifications),
    messages: observeAll(contract.messages),
    security: observeAll(contract.security),
    unstated: observeAll(contract.unstated),
    workflows: observeAll(contract.workflows),
  };
}
