import { X509Certificate } from 'node:crypto';
import type { CallEntry, DeliveryEntry, Entry } from '../entry.ts';
import { toEnvironmentName } from 'countersign/companion/secrets';
import { count, type Paint, printable } from 'countersign/companion/terminal';
import { optional } from 'countersign/companion/values';
import type { WorkflowRun } from '../workflow-run.ts';
import type { DeliveriesOutcome } from './send-deliveries.ts';
import type { Simulation } from './simulation.ts';

/** Describes a started simulator: its addresses, and the lines for the environment of the user's application. */
export function describeStart(
  {
    simulator: {
      description: {
        info: { title, version },
      },
      url,
      baseUrls,
      to,
      credentials,
      clientCertificate,
      redact,
    },
    consoleLink,
    variables,
    ownCredentials,
    authorityFile,
    unproven,
  }: Simulation,
  paint: Paint,
): string {
  const addresses = [
    ['service', url],
    ['console', consoleLink],
    ['receiver', to === undefined ? 'none: pass --to <url> to send notifications' : redact(to)],
  ] as const;
  const lines = [
    `${toEnvironmentName(title, 'baseUrl')}=${url}`,
    ...Object.entries(credentials).map(([name, value]) =>
      line(toEnvironmentName(title, name), ownCredentials.has(name) ? undefined : value),
    ),
    ...variables.map(({ name, value }) => line(name, value)),
  ];
  return [
    paint('bold', printable(`${title} ${version}, simulated`)),
    '',
    ...addresses.flatMap(([name, address]) =>
      address === undefined ? [] : [`  ${name.padEnd(9)} ${address}`],
    ),
    ...(unproven.length === 0
      ? []
      : [
          '',
          printable(
            `Sent without a proof, because the contract states none for them: ${unproven.join(', ')}. A receiver that requires the proof of the others refuses them.`,
          ),
        ]),
    '',
    'For the .env of your application:',
    '',
    ...[...new Set(lines)].map((row) => `  ${printable(row)}`),
    ...(Object.keys(baseUrls).length === 0
      ? []
      : [
          '',
          'For `baseUrls` of your client, for operations that have their own server:',
          '',
          `  ${printable(JSON.stringify(baseUrls))}`,
        ]),
    ...(clientCertificate === undefined
      ? []
      : [
          '',
          'The client certificate of notifications, for the rules of your receiver:',
          '',
          ...describeCertificate(clientCertificate.cert),
          ...(clientCertificate.authority === undefined
            ? []
            : [
                `  authority   ${printable(authorityFile ?? 'not written: pass --authority-file <file>')}`,
              ]),
        ]),
    '',
    '',
  ].join('\n');
}

/** Returns a started simulator as data for `--json`: without secrets of the user. */
export function toStartData({
  simulator,
  consoleLink,
  variables,
  ownCredentials,
  authorityFile,
}: Simulation): object {
  const { url, baseUrls, to, clientCertificate, credentials } = simulator;
  return {
    url,
    ...(Object.keys(baseUrls).length === 0 ? {} : { baseUrls }),
    console: consoleLink,
    to,
    ...optional('clientCertificate', clientCertificate),
    ...optional('authorityFile', authorityFile),
    credentials: Object.fromEntries(
      Object.entries(credentials).filter(([name]) => !ownCredentials.has(name)),
    ),
    variables: Object.fromEntries(
      variables.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
    ),
  };
}

/** Returns the lines that say whose certificate it is. A receiver without TLS gets it in a header. */
function describeCertificate(cert: string): readonly string[] {
  const { subject, fingerprint256 } = new X509Certificate(cert);
  return [
    `  subject     ${printable(subject.replaceAll('\n', ', '))}`,
    `  fingerprint ${fingerprint256}`,
  ];
}

function line(name: string, value: string | undefined): string {
  return value === undefined ? `# ${name}: already set` : `${name}=${value}`;
}

/** Describes how many runs of workflows have passed. */
export function describeRuns(runs: readonly WorkflowRun[]): string {
  const passed = runs.filter(({ state }) => state === 'passed').length;
  return `${passed} of ${count(runs.length, 'workflow')} passed\n`;
}

/** Describes how many deliveries were acknowledged, and how many of them are distinct events. */
export function describeDeliveries({ deliveries, repeated }: DeliveriesOutcome): string {
  const { length } = deliveries;
  const failed = deliveries.filter(({ state }) => state === 'failed').length;
  const distinct =
    repeated === 0
      ? ''
      : `${length - repeated} of ${length} deliveries are distinct events. The contract accepts no other value at the places of \`x-dedupe-by\` in the rest.\n`;
  return `${length - failed} of ${length} deliveries acknowledged\n${distinct}`;
}

/** Returns a line for each reason for which deliveries could not be sent. */
export function describeUnsent({ deliveries }: DeliveriesOutcome): readonly string[] {
  const reasons = Map.groupBy(deliveries, ({ unsent }) => unsent);
  return Array.from(reasons).flatMap(([reason, { length }]) =>
    reason === undefined
      ? []
      : [`${length} of ${deliveries.length} deliveries could not be sent: ${reason}\n`],
  );
}

/** Describes an entry in one line, and what is wrong in further lines. */
export function describeEntry(entry: Entry, paint: Paint): string {
  const time = new Date(entry.at).toISOString().slice(11, 23);
  const [text, ...more] = entryLines(entry, paint);
  return `${paint('dim', time)} ${printable(text ?? '')}\n${more.map((row) => `             ${printable(row)}\n`).join('')}`;
}

function entryLines(entry: Entry, paint: Paint): readonly string[] {
  switch (entry.type) {
    case 'call':
      return callLines(entry, paint);
    case 'delivery':
      return deliveryLines(entry, paint);
    default: {
      const { workflow, step, state, message } = entry;
      const name = step === undefined ? workflow : `${workflow}/${step}`;
      return [`${paintState(state === 'failed', paint)(state.padEnd(8))} ${name}  ${message}`];
    }
  }
}

function callLines(
  { request, response, durationMs, steps, faults }: CallEntry,
  paint: Paint,
): readonly string[] {
  const { pathname, search } = new URL(request.url);
  const status = response === undefined ? 'no response' : String(response.status);
  const failed = steps.find(({ outcome }) => outcome === 'failed');
  const notable = steps.filter(({ outcome }) => outcome === 'warned');
  const first = `→ ${request.method} ${pathname}${search}  ${paintState(failed !== undefined, paint)(status)}  ${Math.round(durationMs)} ms${withFaults(faults)}`;
  return [
    first,
    ...[...(failed === undefined ? [] : [failed]), ...notable].flatMap(
      ({ message, fix, signature, violations = [] }) => [
        message,
        ...violations
          .slice(0, 5)
          .map(({ pointer, message: text }) => `${pointer || 'the value'} ${text}`),
        ...(signature?.deviations ?? []).map(({ code, fix: advice }) => `${code}: ${advice}`),
        ...(fix === undefined || (signature?.deviations.length ?? 0) > 0 ? [] : [fix]),
      ],
    ),
  ];
}

function deliveryLines(
  {
    kind,
    attempt,
    response,
    error,
    durationMs,
    faults,
    isAcknowledged,
    expectedStatuses,
    isRepeated,
    nextAttemptInMs,
  }: DeliveryEntry,
  paint: Paint,
): readonly string[] {
  const outcome = response === undefined ? (error ?? 'no response') : String(response.status);
  const again = attempt === 1 ? '' : `  attempt ${attempt}`;
  const same = isRepeated === true && attempt === 1 ? '  the same event again' : '';
  const next =
    nextAttemptInMs === undefined ? '' : `  again in ${(nextAttemptInMs / 1000).toFixed(1)} s`;
  const expected =
    expectedStatuses === undefined ? '' : `  the contract states ${expectedStatuses.join(' or ')}`;
  return [
    `← ${kind}  ${paintState(!isAcknowledged, paint)(outcome)}  ${Math.round(durationMs)} ms${again}${withFaults(faults)}${same}${expected}${next}`,
  ];
}

function withFaults(faults: readonly string[]): string {
  return faults.length === 0 ? '' : `  (${faults.join(', ')})`;
}

function paintState(isFailed: boolean, paint: Paint): (text: string) => string {
  return (text) => paint(isFailed ? 'red' : 'green', text);
}
