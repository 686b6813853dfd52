import { digest } from '#digest';
import type { Authentication } from './authentication.ts';
import { isPromise, mapMaybePromise, type MaybePromise } from './maybe-promise.ts';
import { WebhookError } from './webhook-error.ts';

/**
 * Creates a test of whether one of the given texts is one of the secrets. Compares digests in constant time, so that
 * the duration reveals neither content nor length of a secret.
 * @throws WebhookError `missing-secret` where there is no secret, or one is empty
 */
export function createSecretTest(
  secrets: string | readonly string[],
): (given: readonly string[]) => MaybePromise<boolean> {
  const list = [secrets].flat();
  if (list.length === 0 || list.some((secret) => typeof secret !== 'string' || !secret.trim()))
    throw new WebhookError(
      'missing-secret',
      'The secret is missing or empty. Check that its environment variable is set.',
    );
  let expected: MaybePromise<readonly string[]> | undefined;
  return (given) =>
    // Waits for the first request: some platforms forbid asynchronous work while a module is loaded.
    mapMaybePromise((expected ??= digests(list)), (own) =>
      mapMaybePromise(digests(given), (others) => isAnyEqual(own, others)),
    );
}

/**
 * Creates an authentication for requests that have the header exactly once, with one of the values, and that `next`
 * authenticates.
 * @param name the header's name in lower case
 * @throws WebhookError `missing-secret` where there is no value, or one is empty
 */
export function withHeader(
  name: string,
  values: string | readonly string[],
  next: Authentication,
): Authentication {
  const isExpected = createSecretTest(values);
  return (request) => {
    const given = request.headers(name);
    return mapMaybePromise(given.length === 1 && isExpected(given), (isRight) =>
      isRight ? next(request) : { ok: false, reason: 'wrong-header' },
    );
  };
}

function digests(texts: readonly string[]): MaybePromise<readonly string[]> {
  const made: readonly MaybePromise<string>[] = texts.map(digest);
  // oxlint-disable-next-line typescript/await-thenable -- promises where WebCrypto makes the digests
  return made.some(isPromise) ? Promise.all(made) : (made as readonly string[]);
}

/** Returns whether two digests are equal. The duration does not depend on which are equal, or where they differ. */
function isAnyEqual(own: readonly string[], others: readonly string[]): boolean {
  let isFound = false;
  for (const one of own)
    for (const other of others) {
      let difference = 0;
      for (let index = 0; index < one.length; index++)
        difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
      isFound = difference === 0 || isFound;
    }
  return isFound;
}
