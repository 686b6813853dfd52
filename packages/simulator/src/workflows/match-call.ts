import type { AnsweredCall } from '../calls/call-server.ts';
import { isObject, isSameJson, memberOf, textOf, toText } from '../sending/json-object.ts';
import { leavesOf, valueAt, writePointer } from '../sending/json-path.ts';
import { redacted } from '../sending/redact.ts';
import type { Json } from 'countersign/kit';
import type { StepPlan } from './plan.ts';
import { requestPayload } from './request-payload.ts';
import { resolveValue } from './resolve-value.ts';
import type { Exchange, Scope } from './scope.ts';

/** Whether a call is the one that a step expects. */
export interface CallMatch {
  /** The first value that differs, by its place, such as `body /a/b`. Absent where none differs. */
  readonly differsAt?: string;
  /** How many values that the step states the call has. */
  readonly matched: number;
}

/** Compares a call with the parameters, the body and the correlation id that a step states and the run knows. */
export function matchCall(step: StepPlan, { call, entry }: AnsweredCall, scope: Scope): CallMatch {
  let matched = 0;
  for (const parameter of step.parameters) {
    const [name = '', place] = ['name', 'in'].map((member) => textOf(parameter, member));
    const stated = resolveValue(memberOf(parameter, 'value'), scope);
    if (stated === undefined) continue;
    const callValue =
      place === 'header'
        ? (memberOf(call.parameters.header, name.toLowerCase()) ??
          memberOf(headersOf(entry.request.headers), name.toLowerCase()))
        : place === 'path' || place === 'query' || place === 'cookie'
          ? memberOf(call.parameters[place], name)
          : undefined;
    // The journal has no credentials, so that these cannot be compared.
    if (typeof callValue === 'string' && callValue.includes(redacted)) continue;
    if (!isEqual(stated, callValue))
      return { differsAt: `${place ?? 'parameter'} ${name}`, matched };
    matched += 1;
  }
  const body = toJson(call.body);
  const payload = requestPayload(step, scope);
  for (const { path, value } of leavesOf(payload)) {
    const callValue = valueAt(body, path);
    if (!isEqual(value, callValue)) return { differsAt: `body ${writePointer(path)}`, matched };
    matched += 1;
  }
  const correlation = resolveValue(textOf(step.definition, 'correlationId'), scope);
  if (correlation !== undefined) {
    const values = [call.parameters.path, call.parameters.query, call.parameters.header, body];
    const isCarried = values
      .flatMap((value) => leavesOf(value))
      .some(({ value }) => isEqual(correlation, value));
    if (!isCarried) return { differsAt: 'correlationId', matched };
    matched += 1;
  }
  return { matched };
}

/** Returns a call as expressions read it. */
export function toExchange({ call, entry, responseBody }: AnsweredCall): Exchange {
  const { response } = entry;
  return {
    url: call.url,
    method: call.method,
    ...(response === undefined ? {} : { statusCode: response.status }),
    parts: {
      request: {
        header: { ...headersOf(entry.request.headers), ...call.parameters.header },
        query: call.parameters.query,
        path: call.parameters.path,
        body: call.body,
      },
      response: { header: headersOf(response?.headers ?? []), body: toJson(responseBody) },
    },
  };
}

/** Returns headers by their names in lower case; of a repeated header, the first value. */
export function headersOf(
  headers: readonly (readonly [name: string, value: string])[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    headers.toReversed().map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function isEqual(stated: Json, callValue: Json | undefined): boolean {
  if (callValue === undefined) return false;
  // A parameter is text on the wire, and the contract decides how it is read.
  return isSameJson(stated, callValue) || toText(stated) === toText(callValue);
}

/** Returns a value that was parsed from JSON as such. */
function toJson(value: unknown): Json | undefined {
  if (value === null || ['boolean', 'number', 'string'].includes(typeof value))
    return value as Json;
  return Array.isArray(value) || isObject(value) ? (value as Json) : undefined;
}
