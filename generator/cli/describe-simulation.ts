import { X509Certificate } from 'node:crypto';
import type { CallEntry, DeliveryEntry, Entry, Simulator } from '@countersign/simulator';
import { toEnvironmentName } from '../contract/names.ts';
import { type Paint } from '../diagnostics/paint.ts';
import { printable } from '../diagnostics/printable.ts';
import type { Variable } from '../tools/simulate/made-keys.ts';

/** Describes a started simulator: its addresses, and the lines for the environment of the user's application. */
export function describeStart(
  {
    description: {
      info: { title, version },
    },
    url,
    baseUrls,
    to,
    credentials,
    clientCertificate,
    redact,
  }: Simulator,
  console: string | undefined,
  variables: readonly Variable[],
  credentialNames: ReadonlySet<string>,
  paint: Paint,
  authority?: string,
  unproven: readonly string[] = [],
): string {
  const addresses = [
    ['service', url],
    ['console', console],
    ['receiver', to === undefined ? 'none: pass --to <url> to send notifications' : redact(to)],
  ] as const;
  const lines = [
    `${toEnvironmentName(title, 'baseUrl')}=${url}`,
    ...Object.entries(credentials).map(([name, value]) =>
      line(toEnvironmentName(title, name), credentialNames.has(name) ? undefined : value),
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
                `  authority   ${printable(authority ?? 'not written: pass --authority-file <file>')}`,
              ]),
        ]),
    '',
    '',
  ].join('\n');
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
    isRepeated,
    nextAttemptInMs,
  }: DeliveryEntry,
  paint: Paint,
): readonly string[] {
  const outcome = response === undefined ? (error ?? 'no response') : String(response.status);
  const count = attempt === 1 ? '' : `  attempt ${attempt}`;
  const same = isRepeated === true && attempt === 1 ? '  the same event again' : '';
  const next =
    nextAttemptInMs === undefined ? '' : `  again in ${(nextAttemptInMs / 1000).toFixed(1)} s`;
  return [
    `← ${kind}  ${paintState(!isAcknowledged, paint)(outcome)}  ${Math.round(durationMs)} ms${count}${withFaults(faults)}${same}${next}`,
  ];
}

function withFaults(faults: readonly string[]): string {
  return faults.length === 0 ? '' : `  (${faults.join(', ')})`;
}

function paintState(isFailed: boolean, paint: Paint): (text: string) => string {
  return (text) => paint(isFailed ? 'red' : 'green', text);
}
