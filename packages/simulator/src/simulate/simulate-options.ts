import { randomBytes } from 'node:crypto';
import { callFaults, deliveryFaults, type Faults } from '../faults.ts';
import type { RetryOptions, SimulatorOptions } from '../simulator.ts';
import type { Invocation, Pairs } from 'countersign/companion/command';
import { createUnknownNameError } from 'countersign/companion/options';
import { readSecret, secretVariable } from 'countersign/companion/secrets';
import { CommandError, type Terminal } from 'countersign/companion/terminal';
import type { KeyedOptions, Variable } from './made-keys.ts';
import { type DeliveryFlags, readDeliveryOptions } from '../send/delivery-options.ts';

/** The options of `simulate`, as they are given. */
export interface SimulateFlags extends DeliveryFlags {
  readonly port?: number;
  readonly consolePort?: number;
  readonly console: boolean;
  readonly seed?: number;
  readonly fault?: readonly string[];
  readonly workflow?: readonly string[];
  readonly input?: Pairs;
  readonly proceed?: true;
  readonly junit?: string;
  readonly deliveries?: number;
  readonly journal?: string;
  readonly retry?: Pairs;
  readonly overlay?: readonly string[];
  readonly workflowFile?: readonly string[];
  readonly dotenv?: string;
  readonly credentialEnv?: Pairs;
  readonly authorityFile?: string;
  readonly appendLabel: boolean;
}

/** The options of `simulate`, validated as far as is possible without the contract. */
export interface SimulateOptions extends KeyedOptions {
  readonly consolePort: number | undefined;
  readonly workflows: readonly string[];
  readonly inputs: Readonly<Record<string, string>>;
  /** Whether runs continue by themselves after steps that the contract does not describe. */
  readonly proceeds: boolean;
  /** The number of deliveries to send before the command exits. */
  readonly deliveries: number | undefined;
  /** Further overlays and Arazzo documents, relative to the working folder. */
  readonly further: FurtherFiles;
}

/** Files of a contract that its configuration does not name. */
export interface FurtherFiles {
  readonly overlays: readonly string[];
  readonly workflows: readonly string[];
}

/** The share of deliveries that a fault without a rate has. */
const defaultRate = 0.1;

/**
 * Reads and validates the options of `simulate`.
 * @param environment the variables of the process, and those of `--dotenv`
 * @throws CommandError `usage`, with a message that repeats no value that can be secret
 */
export async function readSimulateOptions(
  { options, terminal }: Pick<Invocation<SimulateFlags>, 'options' | 'terminal'>,
  environment: Terminal['environment'],
): Promise<SimulateOptions> {
  const read = readerOf(environment);
  const delivery = await readDeliveryOptions({ options, terminal }, (name) => read(name).value);
  const key = read(options.keyEnv ?? secretVariable);
  const { headerEnv = [], pathSecretEnv: pathVariable } = options;
  const credentials = (options.credentialEnv ?? []).map(
    ([name, variable]) => [name, readSecret(environment, variable)] as const,
  );
  const { to, deliveries, workflow: workflows = [] } = options;
  if (deliveries !== undefined && to === undefined)
    throw new CommandError('usage', '--deliveries requires a receiver: --to <url>.');
  for (const option of ['input', 'proceed', 'junit'] as const)
    if (options[option] !== undefined && workflows.length === 0)
      throw new CommandError('usage', `--${option} is for workflows: add --workflow <id>.`);
  return {
    simulator: {
      seed: options.seed ?? 1,
      port: options.port ?? 4010,
      ...delivery,
      appendLabel: options.appendLabel,
      credentials: Object.fromEntries(credentials),
      authentication: { ...delivery.authentication, key: key.value },
      faults: readFaults(options.fault),
      ...readRetry(options.retry, deliveries !== undefined),
    },
    variables: {
      key: key.variable,
      headers: headerEnv.map(([, name]) => read(name).variable),
      path: pathVariable === undefined ? undefined : read(pathVariable).variable,
    },
    consolePort: options.console ? (options.consolePort ?? 4011) : undefined,
    workflows,
    inputs: Object.fromEntries(options.input ?? []),
    proceeds: options.proceed === true,
    deliveries,
    further: {
      overlays: options.overlay ?? [],
      workflows: options.workflowFile ?? [],
    },
  };
}

/** The value of a variable of the environment. */
interface VariableValue {
  readonly value: string;
  readonly variable: Variable;
}

/** Returns a function that reads a variable. One that is not set has a generated value, the same each time. */
function readerOf(environment: Terminal['environment']): (name: string) => VariableValue {
  const known = new Map<string, VariableValue>();
  const read = (name: string): VariableValue => {
    if ((environment[name] ?? '') !== '')
      return { value: readSecret(environment, name), variable: { name } };
    // Hexadecimal digits are also valid Base64 and valid text.
    const value = randomBytes(16).toString('hex');
    return { value, variable: { name, value } };
  };
  return (name) => {
    const value = known.get(name) ?? read(name);
    known.set(name, value);
    return value;
  };
}

/** Reads faults such as `duplicate`, `delayed=0.5` and `all`. */
function readFaults(given: readonly string[] = []): Faults {
  const faultNames: readonly string[] = [...deliveryFaults, ...callFaults];
  const rates = given.flatMap((item): readonly (readonly [string, number])[] => {
    const [name = '', rateText] = item.split('=', 2);
    const rate = rateText === undefined ? defaultRate : Number(rateText);
    if (!(rate >= 0 && rate <= 1))
      throw new CommandError('usage', '--fault requires a rate from 0 to 1, as in delayed=0.5.');
    if (name === 'all') return faultNames.map((faultName) => [faultName, rate]);
    if (!faultNames.includes(name))
      throw createUnknownNameError('fault', name, ['all', ...faultNames]);
    return [[name, rate]];
  });
  return Object.fromEntries(rates);
}

/** What replaces the defaults of the simulator with `--deliveries`: the command is to end soon. */
const shortRetry: RetryOptions = { attempts: 3, firstDelayMs: 1_000, factor: 5 };

/** The smallest and the largest value of each member of `--retry`. */
const retryRanges = {
  attempts: [1, 1_000],
  firstDelayMs: [0, 2 ** 31 - 1],
  factor: [1, 1_000],
  maxDelayMs: [0, 2 ** 31 - 1],
  jitter: [0, 1],
} as const satisfies Record<keyof RetryOptions, readonly [number, number]>;

/** Reads the members of `retry`, such as `attempts=3`. */
function readRetry(given: Pairs = [], isShort: boolean): Pick<SimulatorOptions, 'retry'> {
  const members = given.map(([name, text]) => {
    if (!isRetryMember(name))
      throw createUnknownNameError('member of --retry', name, Object.keys(retryRanges));
    const [from, to] = retryRanges[name];
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!(value >= from && value <= to) || (name === 'attempts' && !Number.isInteger(value)))
      throw new CommandError(
        'usage',
        `--retry ${name} requires a ${name === 'attempts' ? 'whole ' : ''}number from ${from} to ${to}.`,
      );
    return [name, value] as const;
  });
  if (members.length === 0 && !isShort) return {};
  return { retry: { ...(isShort ? shortRetry : {}), ...Object.fromEntries(members) } };
}

function isRetryMember(name: string): name is keyof typeof retryRanges {
  return Object.hasOwn(retryRanges, name);
}
