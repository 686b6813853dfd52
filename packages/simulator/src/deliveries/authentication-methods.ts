import type { SimulatorContext } from '../context.ts';
import type { ServedNotification, ServedScheme } from '../service.ts';
import type { Header } from '../sending/secret-places.ts';
import { SimulatorError } from '../sending/simulator-error.ts';
import type { BodySignature, Signature } from './prepare-signature.ts';
import { hasOptionKey } from '../body-keys.ts';
import { proofOf } from './proofs/proofs.ts';

/** How one notification is authenticated. */
export interface AuthenticationMethod {
  readonly headers: readonly Header[];
  readonly query: readonly Header[];
  readonly signature?: Signature;
  /** In the order in which the contract states them. */
  readonly bodySignatures: readonly BodySignature[];
  readonly hasCertificate: boolean;
}

/** Decides how each notification is authenticated, as the contract states it or as the options say. */
export class AuthenticationMethods {
  readonly #context: SimulatorContext;
  readonly #methods = new Map<string, AuthenticationMethod>();
  readonly #signatures = new OncePerScheme<Signature>();
  readonly #bodySignatures = new OncePerScheme<BodySignature>();

  constructor(context: SimulatorContext) {
    this.#context = context;
  }

  /**
   * Returns how a notification is authenticated.
   * @throws SimulatorError `not-signable`
   */
  of(notification: ServedNotification): AuthenticationMethod {
    const method = this.#methods.get(notification.name) ?? this.#choose(notification);
    this.#methods.set(notification.name, method);
    return method;
  }

  #choose(notification: ServedNotification): AuthenticationMethod {
    const context = this.#context;
    const isSigning = context.options.authentication?.signature !== false;
    const schemes = chooseSchemes(context, notification);
    const proofs = schemes.flatMap((scheme) => {
      const proof = proofOf(scheme);
      return proof === undefined ? [] : [{ scheme, proof }];
    });
    const [signed] = isSigning ? proofs.filter(({ proof }) => proof.sign !== undefined) : [];
    const signature =
      signed &&
      this.#signatures.get(signed.scheme, () => signed.proof.sign?.(context, signed.scheme));
    const carried = proofs.flatMap(
      ({ scheme, proof }) => proof.carry?.(context, scheme, signature !== undefined) ?? [],
    );
    return {
      bodySignatures: isSigning
        ? proofs.flatMap(
            ({ scheme, proof }) =>
              this.#bodySignatures.get(scheme, () =>
                proof.signBody?.(context, scheme, hasOptionKey(context.description, scheme)),
              ) ?? [],
          )
        : [],
      hasCertificate: proofs.some(({ proof }) => proof.hasCertificate === true),
      headers: joinCookies(carried.flatMap(({ header }) => (header === undefined ? [] : [header]))),
      query: carried.flatMap(({ query }) => (query === undefined ? [] : [query])),
      ...(signature === undefined ? {} : { signature }),
    };
  }
}

/** Prepares something once for each scheme. */
class OncePerScheme<Value> {
  readonly #values = new Map<string, Value | undefined>();

  get({ id }: ServedScheme, prepare: () => Value | undefined): Value | undefined {
    if (!this.#values.has(id)) this.#values.set(id, prepare());
    return this.#values.get(id);
  }
}

/** Returns the schemes that authenticate a notification: the chosen signature, or the first usable alternative. */
function chooseSchemes(
  context: SimulatorContext,
  { name, security }: ServedNotification,
): readonly ServedScheme[] {
  const {
    description: { security: schemes },
    options,
  } = context;
  const { signature: chosen, headers = {} } = options.authentication ?? {};
  const headersOfOptions = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const isUsable = (scheme: ServedScheme): boolean =>
    proofOf(scheme)?.isUsable(scheme, context) === true ||
    headersOfOptions.has(headerOf(scheme) ?? '');
  const alternatives = security.map((required) =>
    required.flatMap(({ scheme: id }) => schemes.find((scheme) => scheme.id === id) ?? []),
  );
  if (typeof chosen === 'string') {
    const scheme = findSignature(schemes, chosen);
    const alternative = alternatives.find((all) => all.includes(scheme)) ?? [];
    return [scheme, ...alternative.filter((further) => further !== scheme && isUsable(further))];
  }
  const usable = alternatives.find((all) => all.every(isUsable));
  if (usable !== undefined) return usable;
  if (chosen === false || alternatives.length === 0) return [];
  const [
    help = 'in a way that the simulator does not support. Set its header in `authentication.headers` (`--header-env`)',
  ] = alternatives.flat().flatMap((scheme) => proofOf(scheme)?.help?.(scheme) ?? []);
  throw new SimulatorError(
    'not-signable',
    `The contract authenticates ${name} ${help}, or, to send it without, set \`authentication.signature\` to false.`,
  );
}

/**
 * Returns the scheme of a signature by its name.
 * @throws SimulatorError `unknown-name`
 */
export function findSignature(schemes: readonly ServedScheme[], chosen: string): ServedScheme {
  const signatures = schemes.filter((scheme) => {
    const { sign, signBody } = proofOf(scheme) ?? {};
    return (sign ?? signBody) !== undefined;
  });
  const scheme = signatures.find(({ id }) => id === chosen);
  if (scheme !== undefined) return scheme;
  const names = signatures.map(({ id }) => id).join(', ');
  throw new SimulatorError(
    'unknown-name',
    `The contract has no signature "${chosen}". ${names === '' ? 'It has none.' : `The signatures are ${names}.`}`,
  );
}

/** Returns the header that a scheme uses, in lower case. */
function headerOf({ type, in: place, parameterName }: ServedScheme): string | undefined {
  if (type === 'apiKey' && place === 'cookie') return 'cookie';
  if (type === 'apiKey') return place === 'header' ? parameterName?.toLowerCase() : undefined;
  return type === 'mutualTLS' || type === 'other' ? undefined : 'authorization';
}

/** Joins the cookies of several schemes to one header. */
function joinCookies(headers: readonly Header[]): readonly Header[] {
  const cookies = headers.filter(([name]) => name === 'cookie').map(([, value]) => value);
  if (cookies.length < 2) return headers;
  return [
    ...headers.filter(([name]) => name !== 'cookie'),
    ['cookie', cookies.join('; ')] as const,
  ];
}
