import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type * as runtimeModule from '@countersign/simulator';
import type { Simulator, WorkflowRun } from '@countersign/simulator';
import type { Console } from '@countersign/simulator/console';
import { createPaint, type Paint } from '../diagnostics/paint.ts';
import { systemErrorCode } from '../emit/output-error.ts';
import { fromSource } from '../execution/from-source.ts';
import { optional } from '../json/json.ts';
import { CommandError, toCommandError } from '../tools/command-error.ts';
import {
  neededVariables,
  unprovenKinds,
  type Variable,
  withMadePair,
  withoutMadeKey,
} from '../tools/simulate/made-keys.ts';
import { keepAuthority, keepSession } from '../tools/simulate/session.ts';
import type { Invocation } from './command.ts';
import { count } from '../diagnostics/list-texts.ts';
import { describeEntry, describeStart } from './describe-simulation.ts';
import { createRefusalWatch } from './refusal-watch.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { loadOneService } from './load-one-service.ts';
import {
  readSimulateOptions,
  type SimulateFlags,
  type SimulateOptions,
} from './simulate-options.ts';
import { wantsColor, writeJson } from './terminal.ts';
import { readTlsFiles } from './tls-files.ts';

type Runtime = typeof runtimeModule;

type SimulateInvocation = Invocation<SimulateFlags>;

/**
 * Starts the service that the contract describes, and runs until the process is interrupted. With `--workflow` or
 * `--deliveries`, exits when these have ended: with 0 if everything succeeded.
 */
export async function runSimulate(invocation: SimulateInvocation): Promise<ExitCode> {
  const { flags, terminal } = invocation;
  const runtime = await fromSource(() => import('@countersign/simulator'));
  const { callFaults, deliveryFaults } = runtime;
  const environment = { ...(await readEnvironmentFile(invocation)), ...terminal.environment };
  const statedOptions = readSimulateOptions(invocation, environment, [
    ...deliveryFaults,
    ...callFaults,
  ]);
  const { certificate, ca } = await readTlsFiles(invocation);
  const { service, folder } = await loadOneService(invocation, statedOptions.further);
  const options = withMadePair(service, statedOptions, runtime);
  const paint = createPaint(wantsColor(terminal, flags));
  try {
    const journal =
      options.journal === undefined
        ? undefined
        : await runtime.openSqliteJournal(resolve(terminal.folder, options.journal));
    const simulated = withoutMadeKey(service, options, runtime);
    const simulator = await runtime.createSimulator(service, {
      ...simulated,
      authentication: {
        ...simulated?.authentication,
        ...optional('clientCertificate', certificate),
      },
      ...optional('ca', ca),
      ...optional('journal', journal),
    });
    const closers: (() => unknown)[] = [() => journal?.close(), () => simulator.close()];
    try {
      const controlToken = randomBytes(24).toString('base64url');
      const console = await openConsole(options, simulator, controlToken);
      if (console !== undefined) {
        closers.push(() => console.close());
        const session = { console: console.url, token: controlToken, pid: process.pid };
        const forget = await keepSession(folder, session);
        if (forget !== undefined) closers.push(forget);
      }
      const authority = await writeAuthority(invocation, simulator, folder);
      const needed = neededVariables(simulator, options, runtime);
      announce(invocation, simulator, console?.createLink(), options, paint, authority, needed);
      if (!flags.quiet && !flags.json)
        closers.push(
          simulator.journal.subscribe((entry) => terminal.out(describeEntry(entry, paint))),
        );
      if (options.workflows.length > 0)
        return await runWorkflows(runtime, simulator, options, invocation);
      if (options.deliveries !== undefined)
        return await sendDeliveries(simulator, options.deliveries, invocation);
      await terminal.untilInterrupted?.();
      return exitCodes.ok;
    } finally {
      for (const close of closers.toReversed()) await close();
    }
  } catch (error) {
    throw toCommandError(error, ['unknown-name', 'invalid-option']);
  }
}

function announce(
  { command, flags, terminal }: Invocation,
  simulator: Simulator,
  console: string | undefined,
  options: SimulateOptions,
  paint: Paint,
  authority: string | undefined,
  variables: readonly Variable[],
): void {
  const { credentials = {}, authentication } = options.simulator;
  // A key of the environment can be a credential too.
  const isShown = options.variables.key.value !== undefined;
  const fromEnvironment = Object.entries(simulator.credentials)
    .filter(([, value]) => !isShown && value === authentication?.key)
    .map(([name]) => name);
  const credentialNames = new Set([...Object.keys(credentials), ...fromEnvironment]);
  if (flags.json)
    writeJson(terminal, {
      command,
      ok: true,
      url: simulator.url,
      ...(Object.keys(simulator.baseUrls).length === 0 ? {} : { baseUrls: simulator.baseUrls }),
      console,
      to: simulator.to,
      ...optional('clientCertificate', simulator.clientCertificate),
      ...optional('authorityFile', authority),
      credentials: Object.fromEntries(
        Object.entries(simulator.credentials).filter(([name]) => !credentialNames.has(name)),
      ),
      variables: Object.fromEntries(
        variables.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
      ),
    });
  else
    terminal.out(
      describeStart(
        simulator,
        console,
        variables,
        credentialNames,
        paint,
        authority,
        unprovenKinds(simulator.description, authentication),
      ),
    );
}

/**
 * Writes the certificate of the test authority that issues the client certificate of deliveries, for the receiver to trust.
 * Returns the file, or `undefined` where there is no such authority, or no folder for its file.
 */
async function writeAuthority(
  { options, terminal }: SimulateInvocation,
  { clientCertificate }: Simulator,
  folder: string,
): Promise<string | undefined> {
  const { authorityFile: asked } = options;
  const authority = clientCertificate?.authority;
  if (authority === undefined) {
    if (asked === undefined) return undefined;
    throw new CommandError(
      'usage',
      '--authority-file has no effect, because the test authority issues no client certificate for notifications.',
    );
  }
  if (asked === undefined) return await keepAuthority(folder, authority);
  const file = resolve(terminal.folder, asked);
  await writeFile(file, authority);
  return file;
}

/** Returns the variables of the file that `--dotenv` names; none where there is no such file. */
async function readEnvironmentFile({
  options,
  terminal,
}: SimulateInvocation): Promise<Readonly<Record<string, string | undefined>>> {
  const { dotenv } = options;
  if (dotenv === undefined) return {};
  try {
    return parseEnv(await readFile(resolve(terminal.folder, dotenv), 'utf8'));
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return {};
    throw new CommandError('dotenv', `${dotenv} cannot be read.`, { cause: error });
  }
}

async function openConsole(
  { consolePort, simulator: { allowRemote = false } }: SimulateOptions,
  simulator: Simulator,
  controlToken: string,
): Promise<Console | undefined> {
  if (consolePort === undefined) return undefined;
  const { startConsole } = await fromSource(() => import('@countersign/simulator/console'));
  return await startConsole(simulator, { port: consolePort, allowRemote, controlToken });
}

async function runWorkflows(
  { toJunit }: Runtime,
  simulator: Simulator,
  { workflows, inputs, junit, proceeds, consolePort }: SimulateOptions,
  { flags, terminal }: Invocation,
): Promise<ExitCode> {
  const runs: WorkflowRun[] = [];
  for (const id of workflows) {
    const run = simulator.start(id, { inputs });
    runs.push(run);
    void terminal.untilInterrupted?.().then(() => run.cancel());
    const stuck = Promise.withResolvers<never>();
    const proceedAfter = (step: string): void => {
      if (proceeds) void Promise.resolve().then(() => run.proceed());
      else if (terminal.ask !== undefined)
        void terminal.ask('Press Enter when this step is done. ').then(() => run.proceed());
      // Otherwise, the console can continue the run.
      else if (consolePort === undefined) stuck.reject(createStuckError(id, step));
    };
    const unsubscribe = simulator.journal.subscribe((entry) => {
      if (entry.type !== 'step' || entry.run !== run.id || entry.state !== 'waiting') return;
      const step = run.steps.find(({ id }) => id === entry.step);
      if (step?.kind === 'note') proceedAfter(step.id);
    });
    // A first step that waits has reported it before the subscription.
    const first = run.steps.find(({ kind, state }) => kind === 'note' && state === 'waiting');
    if (first !== undefined) proceedAfter(first.id);
    await Promise.race([run.done, stuck.promise]);
    unsubscribe();
  }
  if (junit !== undefined) await writeFile(resolve(terminal.folder, junit), toJunit(runs));
  const passed = runs.filter(({ state }) => state === 'passed').length;
  if (!flags.quiet && !flags.json) {
    terminal.out(`${passed} of ${count(runs.length, 'workflow')} passed\n`);
  }
  return passed === runs.length ? exitCodes.ok : exitCodes.problems;
}

/** Returns the error for a step that waits for a confirmation, where there is neither a terminal nor a console. */
function createStuckError(workflow: string, step: string): CommandError {
  return new CommandError(
    'usage',
    `The step "${step}" of the workflow "${workflow}" waits until you continue it, which requires a terminal or ` +
      'the console. Pass --proceed to continue after such steps.',
  );
}

async function sendDeliveries(
  simulator: Simulator,
  count: number,
  { flags, terminal }: Invocation,
): Promise<ExitCode> {
  // Deliveries that wait for another attempt have failed when the simulator is closed.
  void terminal.untilInterrupted?.().then(async () => await simulator.close());
  const plan = simulator.plan({ count });
  const watch = createRefusalWatch(plan.length);
  const unsubscribe = simulator.journal.subscribe((entry) => {
    const { report, isHopeless } = watch(entry);
    if (report !== undefined) terminal.error(`${report}\n`);
    if (isHopeless) void simulator.close();
  });
  const deliveries = await simulator.play(plan);
  unsubscribe();
  const failed = deliveries.filter(({ state }) => state === 'failed').length;
  const reasons = Map.groupBy(deliveries, ({ unsent }) => unsent);
  for (const [reason, { length }] of reasons)
    if (reason !== undefined)
      terminal.error(`${length} of ${deliveries.length} deliveries could not be sent: ${reason}\n`);
  if (!flags.quiet && !flags.json)
    terminal.out(`${deliveries.length - failed} of ${deliveries.length} deliveries acknowledged\n`);
  const duplicates = plan.filter(({ isDuplicate }) => isDuplicate === true).length;
  if (duplicates > 0 && !flags.quiet && !flags.json)
    terminal.out(
      `${plan.length - duplicates} of ${plan.length} deliveries are distinct events. The contract accepts no other value at the places of \`x-dedupe-by\` in the rest.\n`,
    );
  return failed === 0 ? exitCodes.ok : exitCodes.problems;
}
