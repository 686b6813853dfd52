import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { CommandError } from 'countersign/companion/terminal';
import { optional } from 'countersign/companion/values';
import { createSimulator } from '../create-simulator.ts';
import type { Service } from '../service.ts';
import type { Simulator } from '../simulator.ts';
import { openSqliteJournal } from '../sqlite-journal.ts';
import {
  neededVariables,
  unprovenKinds,
  type Variable,
  withMadePair,
  withoutMadeKey,
} from './made-keys.ts';
import { keepAuthority, keepSession } from './session.ts';
import type { SimulateOptions } from './simulate-options.ts';

/** What a simulation is made of, beside the options. Paths are absolute. */
export interface SimulationSource {
  readonly service: Service;
  /** The folder of the configuration, where `send` finds the session. */
  readonly folder: string;
  readonly journalFile: string | undefined;
  readonly authorityFile: string | undefined;
}

/** A running simulator, and what its user has to know. */
export interface Simulation {
  readonly simulator: Simulator;
  /** A link to the console, which opens it once; `undefined` without a console. */
  readonly consoleLink: string | undefined;
  /** The file with the certificate of the test authority, if it issued the client certificate of deliveries. */
  readonly authorityFile: string | undefined;
  /** The variables that the receiver needs to authenticate deliveries. */
  readonly variables: readonly Variable[];
  /** The names of the credentials whose values the user has. */
  readonly ownCredentials: ReadonlySet<string>;
  /** The kinds that are sent without a proof, although the contract states one for others. */
  readonly unproven: readonly string[];
  /** Ends everything that was started, the last first. */
  close(): Promise<void>;
}

/**
 * Starts a simulator with its journal, its console and its session.
 * @throws CommandError `usage`
 * @throws SimulatorError
 */
export async function startSimulation(
  { service, folder, journalFile, authorityFile }: SimulationSource,
  stated: SimulateOptions,
): Promise<Simulation> {
  const options = withMadePair(service, stated);
  const simulated = withoutMadeKey(service, options);
  const closers: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const end of closers.toReversed()) await end();
  };
  try {
    const journal = journalFile === undefined ? undefined : await openSqliteJournal(journalFile);
    if (journal !== undefined) closers.push(() => journal.close());
    const simulator = await createSimulator(service, {
      ...simulated,
      ...optional('journal', journal),
    });
    closers.push(() => simulator.close());
    const console = await openConsole(options, simulator, folder, closers);
    return {
      simulator,
      consoleLink: console?.createLink(),
      authorityFile: await writeAuthority(simulator, folder, authorityFile),
      variables: neededVariables(simulator, options),
      ownCredentials: ownCredentials(simulator, options),
      unproven: unprovenKinds(simulator.description, options.simulator.authentication),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the console, and keeps the session with which `send` finds it. */
async function openConsole(
  { consolePort, simulator: { allowRemote = false } }: SimulateOptions,
  simulator: Simulator,
  folder: string,
  closers: (() => unknown)[],
): Promise<{ createLink(): string } | undefined> {
  if (consolePort === undefined) return undefined;
  const controlToken = randomBytes(24).toString('base64url');
  const { startConsole } = await import('../console/start-console.ts');
  const console = await startConsole(simulator, { port: consolePort, allowRemote, controlToken });
  closers.push(() => console.close());
  const session = { console: console.url, token: controlToken, pid: process.pid };
  const forget = await keepSession(folder, session);
  if (forget !== undefined) closers.push(forget);
  return console;
}

/**
 * Writes the certificate of the test authority that issues the client certificate of deliveries, for the receiver to trust.
 * Returns the file, or `undefined` where there is no such authority, or no folder for its file.
 */
async function writeAuthority(
  { clientCertificate }: Simulator,
  folder: string,
  file: string | undefined,
): Promise<string | undefined> {
  const authority = clientCertificate?.authority;
  if (authority === undefined) {
    if (file === undefined) return undefined;
    throw new CommandError(
      'usage',
      '--authority-file has no effect, because the test authority issues no client certificate for notifications.',
    );
  }
  if (file === undefined) return await keepAuthority(folder, authority);
  await writeFile(file, authority);
  return file;
}

function ownCredentials(
  simulator: Simulator,
  { simulator: { credentials = {}, authentication }, variables }: SimulateOptions,
): ReadonlySet<string> {
  // A key of the environment can be a credential too.
  const isShown = variables.key.value !== undefined;
  const fromEnvironment = Object.entries(simulator.credentials)
    .filter(([, value]) => !isShown && value === authentication?.key)
    .map(([name]) => name);
  return new Set([...Object.keys(credentials), ...fromEnvironment]);
}
