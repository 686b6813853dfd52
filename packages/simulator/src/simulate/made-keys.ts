import { publicKeyVariable } from 'countersign/companion/secrets';
import { deliveredSchemes } from '../delivered-schemes.ts';
import { hasKeyPair, keyUseOf } from '../deliveries/proofs/proofs.ts';
import type { Service } from '../service.ts';
import type { Simulator, SimulatorOptions } from '../simulator.ts';

/** A variable of the environment that the user's application reads. */
export interface Variable {
  readonly name: string;
  /** The generated value; absent if the environment of this command has one, which is not shown. */
  readonly value?: string;
}

/** Options of a simulator, with the variables that have their secrets. */
export interface KeyedOptions {
  /** Those of the simulator, without its journal. */
  readonly simulator: SimulatorOptions;
  /** The variable with the key of signed deliveries, those with secret values of headers, and that of the path. */
  readonly variables: {
    readonly key: Variable;
    readonly headers: readonly Variable[];
    readonly path: Variable | undefined;
  };
}

/** Returns the kinds that are sent without a proof, where the contract states one for others, and no option has one. */
export function unprovenKinds(
  { notifications }: Service,
  { signature, headers = {}, pathSecret }: NonNullable<SimulatorOptions['authentication']> = {},
): readonly string[] {
  const isProven =
    signature !== undefined || pathSecret !== undefined || Object.keys(headers).length > 0;
  const unstated = notifications.filter(({ security }) => security.length === 0);
  return isProven || unstated.length === notifications.length
    ? []
    : unstated.map(({ name }) => name);
}

/**
 * Returns the options of a simulator. A made key is a secret: where deliveries are signed with a key pair, the simulator
 * makes its own.
 */
export function withoutMadeKey(
  service: Service,
  { simulator, variables }: KeyedOptions,
): SimulatorOptions {
  const { key: _, ...authentication } = simulator.authentication ?? {};
  const isMade = variables.key.value !== undefined;
  const signsWithPair = (): boolean =>
    deliveredSchemes(service, authentication.signature).some((scheme) =>
      hasKeyPair(service, scheme, simulator.answers),
    );
  return isMade && signsWithPair() ? { ...simulator, authentication } : simulator;
}

/** Returns the options with a user name before a made key, where deliveries have it as the credentials of HTTP Basic. */
export function withMadePair<Options extends KeyedOptions>(
  service: Service,
  options: Options,
): Options {
  const { simulator, variables } = options;
  const { value } = variables.key;
  const isPair = secretsOf(service).some(({ httpScheme }) => httpScheme === 'basic');
  if (value === undefined || !isPair) return options;
  const key = `simulated:${value}`;
  return {
    ...options,
    simulator: { ...simulator, authentication: { ...simulator.authentication, key } },
    variables: { ...variables, key: { ...variables.key, value: key } },
  };
}

/** Returns the schemes by which deliveries carry the key of the options as it is. */
function secretsOf(service: Service): Service['security'] {
  return deliveredSchemes(service).filter(
    (scheme) => keyUseOf(scheme, undefined, {}) === 'carries',
  );
}

/** Returns the variables that the receiver needs to authenticate deliveries. */
export function neededVariables(
  { description, credentials, publicKeys }: Simulator,
  { variables, simulator: { authentication = {} } }: KeyedOptions,
): readonly Variable[] {
  const { signature } = authentication;
  const signs =
    signature !== false &&
    (signature !== undefined ||
      deliveredSchemes(description).some(
        (scheme) => keyUseOf(scheme, authentication.key, credentials) === 'signs',
      ));
  const { key, headers, path } = variables;
  const [pair] = deliveredSchemes(description, signature).filter(({ id }) =>
    Object.hasOwn(publicKeys, id),
  );
  const proof: Variable =
    pair === undefined ? key : { name: publicKeyVariable, value: publicKeys[pair.id] ?? '' };
  const carries = signature === undefined && secretsOf(description).length > 0;
  return [...(signs || carries ? [proof] : []), ...headers, ...(path === undefined ? [] : [path])];
}
