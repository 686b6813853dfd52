import type { CheckStep } from '../entry.ts';
import type { Answers, PreparedAnswer } from './answers.ts';

/** The header of a refusal that has the code of the first failed check. */
export const refusalHeader = 'simulator-refusal';

/** The statuses of a refusal, the preferred one first. */
function statusesOf({ name, code = '', violations }: CheckStep): readonly number[] {
  switch (name) {
    case 'route':
      return [404];
    case 'method':
      return [405];
    case 'request-id':
      return [409, 422, 400];
    case 'media-type':
      return [415, 400, 422];
    case 'parameters':
      return [400, 422];
    case 'body':
      if (code === 'body-too-large') return [413];
      return violations === undefined ? [400, 422] : [422, 400];
    default:
      return [401, 403, 400];
  }
}

/**
 * Returns the response of a refused call: the one that the contract declares, or else a problem (RFC 9457) with the code
 * and the message of the failed check. Contains no credential.
 */
export function refuseCall(
  step: CheckStep,
  answers: Answers | undefined,
  accept: string | undefined,
  further: Readonly<Record<string, string>> = {},
): PreparedAnswer {
  const { code = step.name, message, fix } = step;
  const statuses = statusesOf(step);
  const declared = answers?.declared(statuses);
  const status = declared ?? statuses[0] ?? 400;
  const headers = { ...further, [refusalHeader]: code };
  const answer = declared === undefined ? undefined : answers?.forStatus(status, accept);
  if (answer?.value !== undefined) return { ...answer, headers: { ...answer.headers, ...headers } };
  const value = {
    title: 'The simulator refused the call.',
    status,
    code,
    detail: message,
    ...(fix === undefined ? {} : { fix }),
  };
  return {
    status,
    headers: { ...answer?.headers, ...headers },
    contentType: 'application/problem+json',
    value,
    bytes: Buffer.from(JSON.stringify(value)),
  };
}
