import type { SimulatorContext } from '../context.ts';
import type { CheckStep } from '../entry.ts';
import type { ServedOperation } from '../service.ts';
import type { CallAnswer, CheckedCall, Simulator } from '../simulator.ts';
import { SimulatorError } from '../sending/simulator-error.ts';
import { type AccessTokens, createAccessTokens } from './access-tokens.ts';
import {
  type Answers,
  compileAnswers,
  concreteType,
  encodeValue,
  isBodiless,
  type PreparedAnswer,
} from './answers.ts';
import { chooseFaults, type ChosenFaults, noFaults } from './call-faults.ts';
import { compileIssue } from './issue-token.ts';
import { compileOperationCheck } from './operation-check.ts';
import type { ReceivedCall } from './received-call.ts';
import { refuseCall } from './refusal.ts';
import { createRequestIds } from './request-ids.ts';
import { compileRouter } from './router.ts';
import { failed, passed } from './scheme-check.ts';
import { compileSecurity } from './security.ts';

/** What happens to a call. */
export interface HandledCall {
  readonly operation: string | undefined;
  readonly steps: readonly CheckStep[];
  readonly answer: PreparedAnswer;
  readonly faults: ChosenFaults;
  /** The call, where it passed all checks and was not answered with an error on purpose. */
  readonly accepted: CheckedCall | undefined;
}

/** Checks and answers calls, without a connection. */
export interface CallHandler {
  readonly handle: (call: ReceivedCall) => Promise<HandledCall>;
  readonly respond: Simulator['respond'];
  readonly tokens: AccessTokens;
}

type Responder = CallAnswer | ((call: CheckedCall) => CallAnswer | Promise<CallAnswer>);

/** Compiles everything that does not depend on a call: routes, decoders, verifiers and examples. */
export function compileHandler(context: SimulatorContext): CallHandler {
  const { description } = context;
  const tokens = createAccessTokens(context);
  const requestIds = createRequestIds();
  const securityOf = compileSecurity(context, tokens);
  const responders = new Map<string, readonly { readonly answer: Responder }[]>();
  const operations = description.operations.map((operation) => {
    const security = securityOf(operation);
    return {
      operation,
      security,
      check: compileOperationCheck(operation, security, requestIds, context),
      answers: compileAnswers(operation, context),
      issue: compileIssue(operation, context, tokens),
    };
  });
  const route = compileRouter(operations.map((value) => ({ ...value.operation, value })));
  let count = 0;

  return {
    tokens,
    respond(operation, answer) {
      if (!description.operations.some(({ name }) => name === operation))
        throw new SimulatorError('unknown-name', `The contract has no operation "${operation}".`);
      const addedResponder = { answer };
      responders.set(operation, [...(responders.get(operation) ?? []), addedResponder]);
      return () => {
        const remainingResponders = (responders.get(operation) ?? []).filter(
          (responder) => responder !== addedResponder,
        );
        responders.set(operation, remainingResponders);
      };
    },
    async handle(call) {
      const accept = call.headers('accept')[0];
      const routed = route(call.method, call.path);
      if (routed.kind !== 'found') {
        const [steps, further] =
          routed.kind === 'path'
            ? [[noRoute(call, description.operations)], {}]
            : [wrongMethod(call, routed.allowed), { Allow: routed.allowed.join(', ') }];
        const answer = refuseCall(steps.at(-1) ?? routeOk, undefined, accept, further);
        return { operation: undefined, steps, answer, faults: noFaults, accepted: undefined };
      }
      const { operation, security, check, answers, issue } = routed.value;
      const { name } = operation;
      const checked = await check(call, routed.parameters);
      const steps = [routeOk, methodOk, ...checked.steps];
      const refusal = steps.find(({ outcome }) => outcome === 'failed');
      if (refusal !== undefined) {
        const answer = refuseCall(refusal, answers, accept);
        const { challenge } = security;
        const headers =
          answer.status === 401 && challenge !== undefined
            ? { 'WWW-Authenticate': challenge, ...answer.headers }
            : answer.headers;
        return {
          operation: name,
          steps,
          answer: { ...answer, headers },
          faults: noFaults,
          accepted: undefined,
        };
      }
      count += 1;
      const faults = chooseFaults(context, count);
      if (faults.names.includes('error-503'))
        return {
          operation: name,
          steps,
          answer: answers.forStatus(503, accept),
          faults,
          accepted: undefined,
        };
      const responder = responders.get(name)?.at(-1)?.answer;
      const answer =
        responder === undefined
          ? issue(answers.success(accept), false)
          : await respond(context, responder, checked.call, answers, accept, issue);
      return { operation: name, steps, answer, faults, accepted: checked.call };
    },
  };
}

const routeOk = passed('route', 'The contract has an operation with this path.');
const methodOk = passed('method', 'The operation has this method.');

function noRoute({ path }: ReceivedCall, operations: readonly ServedOperation[]): CheckStep {
  const message = 'The contract has no operation with this path.';
  const base = operations.find(
    (operation) =>
      !operation.path.includes('{') && operation.path.length > 1 && path.endsWith(operation.path),
  );
  const other = operations.find(
    (operation) => operation.path === (path.endsWith('/') ? path.slice(0, -1) : `${path}/`),
  );
  return failed(
    'route',
    'unknown-path',
    message,
    base !== undefined
      ? `The operation \`${base.name}\` has the path \`${base.path}\`. Remove what is before it from the base address.`
      : other !== undefined
        ? `The path of the operation \`${other.name}\` is \`${other.path}\`; the last slash counts.`
        : 'Compare the path with those of the contract, and the base address with that of the simulator.',
  );
}

function wrongMethod({ method }: ReceivedCall, allowed: readonly string[]): readonly CheckStep[] {
  const methodName = /^[A-Z]{1,16}$/u.test(method) ? method : 'another method';
  return [
    routeOk,
    failed(
      'method',
      'wrong-method',
      `The contract does not declare ${methodName} for this path.`,
      `Send it with ${allowed.join(' or ')}.`,
    ),
  ];
}

async function respond(
  { warn }: SimulatorContext,
  responder: Responder,
  call: CheckedCall,
  answers: Answers,
  accept: string | undefined,
  issue: (answer: PreparedAnswer, isGiven: boolean) => PreparedAnswer,
): Promise<PreparedAnswer> {
  let answer: CallAnswer;
  try {
    answer = typeof responder === 'function' ? await responder(call) : responder;
  } catch (error) {
    // Its error can contain what the call contains. The response reports only where to search.
    warn({
      code: 'COUNTERSIGN_HANDLER_FAILED',
      message: `The function that was given to \`respond\` for ${call.operation} failed`,
      help: 'The call was answered with 500.',
      error,
    });
    return failedHandler(call.operation);
  }
  const declared =
    answer.status === undefined
      ? answers.success(accept)
      : answers.forStatus(answer.status, accept);
  const headers = { ...declared.headers, ...answer.headers };
  if (answer.body === undefined || isBodiless(declared.status))
    return issue({ ...declared, headers }, false);
  const stated = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  const contentType = stated?.[1] ?? declared.contentType ?? concreteType('*/*', answer.body);
  const bytes = encodeValue(answer.body, contentType);
  return issue({ status: declared.status, headers, contentType, value: answer.body, bytes }, true);
}

function failedHandler(operation: string): PreparedAnswer {
  const contentType = 'application/problem+json';
  const value = {
    title: 'The handler of the simulator failed.',
    status: 500,
    code: 'handler-failed',
    detail: `The function that was given to \`respond\` for \`${operation}\` threw an error.`,
  };
  return { status: 500, headers: {}, contentType, value, bytes: encodeValue(value, contentType) };
}
