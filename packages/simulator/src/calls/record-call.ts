import type { SimulatorContext } from '../context.ts';
import type { CallEntry, CheckStep } from '../entry.ts';
import { recordBody, recordHeaders } from '../record.ts';
import { Redactor } from '../sending/redact.ts';
import type { ReceivedCall } from './received-call.ts';

/** What is recorded of a call. */
export interface CallRecord {
  readonly at: number;
  readonly durationMs: number;
  readonly operation: string | undefined;
  readonly call: ReceivedCall;
  readonly steps: readonly CheckStep[];
  readonly faults: readonly string[];
  /** Absent where the connection ended before it. */
  readonly response?: {
    readonly status: number;
    readonly headers: readonly string[];
    readonly bytes: Uint8Array;
  };
}

/** Returns a function that adds calls to the journal, without credentials. */
export function compileRecorder({
  description,
  journal,
  redactor,
}: Pick<SimulatorContext, 'description' | 'journal' | 'redactor'>): (
  record: CallRecord,
) => CallEntry {
  const secretHeaders = new Set(
    description.security.flatMap(({ in: place, parameterName, signature }) =>
      place === 'header' && parameterName !== undefined && signature === undefined
        ? [parameterName.toLowerCase()]
        : [],
    ),
  );
  return ({ at, durationMs, operation, call, steps, faults, response }) => {
    const { redact } = redactorOf(call, steps, redactor);
    return journal.add({
      type: 'call',
      at,
      durationMs,
      ...(operation === undefined ? {} : { operation }),
      request: {
        method: call.method,
        url: redact(call.url),
        headers: recordHeaders(call.rawHeaders, { redact }, secretHeaders),
        body: recordBody(call.body, { redact }),
      },
      ...(response === undefined
        ? {}
        : {
            response: {
              status: response.status,
              headers: recordHeaders(response.headers, { redact }),
              body: recordBody(response.bytes, { redact }),
            },
          }),
      faults,
      steps: steps.map((step) => redactStep(step, redact)),
    });
  };
}

/** Returns a redactor that also replaces wrong credentials of the call. Right ones are known already. */
function redactorOf(
  { secrets }: ReceivedCall,
  steps: readonly CheckStep[],
  redactor: Redactor,
): Pick<Redactor, 'redact'> {
  if (secrets.size === 0 || steps.every(({ outcome }) => outcome === 'passed')) return redactor;
  const callRedactor = new Redactor(secrets);
  return { redact: (text) => callRedactor.redact(redactor.redact(text)) };
}

function redactStep(step: CheckStep, redact: (text: string) => string): CheckStep {
  const { signature } = step;
  if (signature === undefined) return step;
  const parts = signature.parts.map(({ expression, text }) => ({ expression, text: redact(text) }));
  return { ...step, signature: { ...signature, parts, received: redact(signature.received) } };
}
