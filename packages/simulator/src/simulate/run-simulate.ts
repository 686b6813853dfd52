import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Invocation } from 'countersign/companion/command';
import {
  CommandError,
  createPaint,
  type ExitCode,
  exitCodes,
  toCommandError,
  wantsColor,
  writeJson,
} from 'countersign/companion/terminal';
import {
  readSimulateOptions,
  type SimulateFlags,
  type SimulateOptions,
} from './simulate-options.ts';
import type { Simulation } from './simulation.ts';

type SimulateInvocation = Invocation<SimulateFlags>;

/**
 * Starts the service that the contract describes, and runs until the process is interrupted. With `--workflow` or
 * `--deliveries`, exits when these have ended: with 0 if everything succeeded.
 */
export async function runSimulate(invocation: SimulateInvocation): Promise<ExitCode> {
  const { flags, options: given, terminal } = invocation;
  const environment = { ...(await readEnvironmentFile(invocation)), ...terminal.environment };
  const options = await readSimulateOptions(invocation, environment);
  const { loadOneService } = await import('./load-one-service.ts');
  const loaded = await loadOneService(invocation, options.further);
  const { startSimulation } = await import('./simulation.ts');
  const { describeEntry, describeStart, toStartData } = await import('./describe-simulation.ts');
  const place = (file: string | undefined): string | undefined =>
    file === undefined ? undefined : resolve(terminal.folder, file);
  const files = { journalFile: place(given.journal), authorityFile: place(given.authorityFile) };
  try {
    const simulation = await startSimulation({ ...loaded, ...files }, options);
    let unsubscribe = (): void => undefined;
    try {
      const paint = createPaint(wantsColor(terminal, flags));
      if (flags.json)
        writeJson(terminal, { command: invocation.command, ok: true, ...toStartData(simulation) });
      else terminal.out(describeStart(simulation, paint));
      if (!flags.quiet && !flags.json)
        unsubscribe = simulation.simulator.journal.subscribe((entry) =>
          terminal.out(describeEntry(entry, paint)),
        );
      return await run(simulation, options, invocation);
    } finally {
      unsubscribe();
      await simulation.close();
    }
  } catch (error) {
    throw toCommandError(error, ['unknown-name', 'invalid-option']);
  }
}

/** Runs the workflows or the deliveries of the options; without both, until the process is interrupted. */
async function run(
  { simulator }: Simulation,
  options: SimulateOptions,
  { flags, options: { junit }, terminal }: SimulateInvocation,
): Promise<ExitCode> {
  const say = flags.quiet || flags.json ? () => undefined : (text: string) => terminal.out(text);
  if (options.workflows.length > 0) {
    const { runWorkflows } = await import('./run-workflows.ts');
    const { describeRuns } = await import('./describe-simulation.ts');
    const runs = await runWorkflows(simulator, options, terminal);
    if (junit !== undefined) {
      const { toJunit } = await import('../workflows/junit.ts');
      await writeFile(resolve(terminal.folder, junit), toJunit(runs));
    }
    say(describeRuns(runs));
    return runs.every(({ state }) => state === 'passed') ? exitCodes.ok : exitCodes.problems;
  }
  if (options.deliveries !== undefined) {
    const { sendDeliveries } = await import('./send-deliveries.ts');
    const { describeDeliveries, describeUnsent } = await import('./describe-simulation.ts');
    // Deliveries that wait for another attempt have failed when the simulator is closed.
    void terminal.untilInterrupted?.().then(async () => await simulator.close());
    const outcome = await sendDeliveries(simulator, options.deliveries, (sentence) =>
      terminal.error(`${sentence}\n`),
    );
    for (const line of describeUnsent(outcome)) terminal.error(line);
    say(describeDeliveries(outcome));
    const isFailed = outcome.deliveries.some(({ state }) => state === 'failed');
    return isFailed ? exitCodes.problems : exitCodes.ok;
  }
  await terminal.untilInterrupted?.();
  return exitCodes.ok;
}

/** Returns the variables of the file that `--dotenv` names; none where there is no such file. */
async function readEnvironmentFile({
  options: { dotenv },
  terminal,
}: SimulateInvocation): Promise<Readonly<Record<string, string | undefined>>> {
  if (dotenv === undefined) return {};
  try {
    return parseEnv(await readFile(resolve(terminal.folder, dotenv), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new CommandError('dotenv', `${dotenv} cannot be read.`, { cause: error });
  }
}
