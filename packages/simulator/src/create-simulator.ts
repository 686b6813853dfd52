import type { ModelVersion } from 'countersign/kit';
import { jwksPath, publishesKeys } from './key-pairs.ts';
import { startCallServer } from './calls/call-server.ts';
import { withTokenEndpoints } from './calls/token-endpoints.ts';
import { createContext } from './create-context.ts';
import { createDeliverer } from './deliveries/deliverer.ts';
import type { CallEntry } from './entry.ts';
import { createMemoryJournal } from './memory-journal.ts';
import type { Service } from './service.ts';
import { SimulatorError } from './sending/simulator-error.ts';
import type { Simulator, SimulatorOptions } from './simulator.ts';
import { createClock } from './virtual-clock.ts';
import { createRunner } from './workflows/runner.ts';

/** The version of the model that this simulator reads. */
const modelVersion: ModelVersion = 2;

/** The entries that `calls` lists at most: the newest. A journal in a file can keep many more. */
const maxListed = 10_000;

/**
 * Starts the service that a contract describes, in this process and on this machine only.
 * @throws SimulatorError for an option that is not valid, for a port that is in use, and for a description in another
 * version of the model
 */
export async function createSimulator(
  service: Service,
  options: SimulatorOptions = {},
): Promise<Simulator> {
  assertModelVersion(service);
  const description = withTokenEndpoints(service);
  const { servers } = description;
  const clock = createClock(options.manualClock);
  const journal = options.journal ?? createMemoryJournal();
  const context = createContext(description, options, clock, journal);
  const deliverer = createDeliverer(context);
  const calls = await startCallServer(context);
  const runner = createRunner(context, calls, deliverer);
  return {
    description,
    url: calls.url,
    baseUrls: Object.fromEntries([
      ...servers.overrides.map(({ key }) => [key, calls.url]),
      ...servers.tokenEndpoints.map(({ key, servedPath }) => [key, calls.url + servedPath]),
    ]),
    credentials: context.credentials,
    get clientCertificate() {
      return deliverer.clientCertificate;
    },
    publicKeys: Object.fromEntries(
      Array.from(context.keyPairs, ([id, { publicKey }]) => [id, JSON.stringify(publicKey)]),
    ),
    ...(publishesKeys(description) ? { jwksUrl: calls.url + jwksPath } : {}),
    redact: context.redactor.redact,
    answers: context.answers,
    journal,
    clock,
    get calls() {
      return journal
        .list({ type: 'call', pageSize: maxListed })
        .filter((entry): entry is CallEntry => entry.type === 'call');
    },
    get deliveries() {
      return deliverer.list();
    },
    get to() {
      return deliverer.to;
    },
    set to(address) {
      deliverer.to = address;
    },
    get faults() {
      return context.faults.current;
    },
    set faults(faults) {
      context.faults.current = faults;
    },
    get runs() {
      return runner.runs;
    },
    trigger: deliverer.trigger,
    sendAgain: deliverer.sendAgain,
    plan: deliverer.plan,
    play: deliverer.play,
    respond: calls.respond,
    revokeTokens: calls.revokeTokens,
    start: runner.start,
    settled: deliverer.settled,
    async close() {
      runner.close();
      clock.close();
      await Promise.all([calls.close(), deliverer.close()]);
      // A journal of the caller can serve another simulator.
      if (options.journal === undefined) journal.close();
    },
  };
}

/**
 * Asserts that a description is written in the version of the model that this simulator reads.
 * @throws SimulatorError `model-version`
 */
function assertModelVersion(description: Pick<Service, 'modelVersion'>): void {
  // A package of an older toolkit has another version, or none.
  const { modelVersion: stated }: { readonly modelVersion?: unknown } = description;
  if (stated === modelVersion) return;
  throw new SimulatorError(
    'model-version',
    `The generated package "simulator" has ${stated === undefined ? 'no version of the model' : `version ${JSON.stringify(stated)} of the model`}, and the installed "countersign" reads version ${modelVersion}. Run \`countersign generate\` with the installed version.`,
  );
}
