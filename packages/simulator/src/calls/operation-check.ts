import type { SimulatorContext } from '../context.ts';
import type { CheckStep } from '../entry.ts';
import type { ServedOperation } from '../service.ts';
import type { CheckedCall } from '../simulator.ts';
import { compileClientCredentials } from './client-credentials-check.ts';
import { compileBodyCheck } from './body-check.ts';
import { compileParameters } from './decode-parameters.ts';
import { compileParameterCheck } from './parameter-check.ts';
import type { ReceivedCall } from './received-call.ts';
import type { RequestIds } from './request-ids.ts';
import type { PathParameter } from './router.ts';
import type { SecurityCheck } from './security.ts';
import { compileTokenCredentials } from './token-credentials.ts';

/** A call with the result of its checks. */
export interface CheckResult {
  readonly steps: readonly CheckStep[];
  readonly call: CheckedCall;
}

/**
 * Compiles all checks of an operation's calls. They run in a fixed order, and each that can run does, so that one call
 * shows everything that is wrong.
 */
export function compileOperationCheck(
  operation: ServedOperation,
  security: SecurityCheck,
  requestIds: RequestIds,
  context: SimulatorContext,
): (call: ReceivedCall, path: readonly PathParameter[]) => Promise<CheckResult> {
  const { name, method, parameters: declared } = operation;
  const decode = compileParameters(declared);
  const checkParameters = compileParameterCheck(operation, context.description);
  const checkBody = compileBodyCheck(operation, context.description);
  const checkCredentials = compileTokenCredentials(name, context);
  const checkClient = compileClientCredentials(operation, context);
  return async (call, path) => {
    const parameters = decode(call, path);
    const secured = await security.check(call);
    const body = await checkBody(call);
    const steps = [
      ...secured,
      ...requestIds.check(declared, call, parameters),
      ...body.steps.filter((step) => step.name === 'media-type'),
      ...checkParameters(parameters),
      ...body.steps.filter((step) => step.name === 'body'),
    ];
    const isReadable = !body.steps.some(({ outcome }) => outcome === 'failed');
    if (isReadable)
      steps.push(
        ...checkCredentials(call, parameters, body.value),
        ...checkClient(call, body.value),
      );
    if (steps.every(({ outcome }) => outcome !== 'failed'))
      requestIds.remember(declared, call, parameters);
    return {
      steps,
      call: { operation: name, method, url: call.url, parameters, body: body.value },
    };
  };
}
