import { showResults } from 'countersign/companion/configuration';
import { CommandError, type ExitCode, exitCodes } from 'countersign/companion/terminal';
import { isJsonObject } from 'countersign/companion/values';
import type { Json, JsonObject } from 'countersign/kit';
import { findSessions, type Session } from '../simulate/session.ts';
import { readJsonOption } from './json-option.ts';
import type { SendInvocation } from './send-options.ts';

/**
 * Lets the simulator that runs for this project send a notification, and reports the outcome of the first attempt.
 * @throws CommandError `usage`, `no-simulator`, `not-sent`
 */
export async function sendFromSimulator(invocation: SendInvocation): Promise<ExitCode> {
  const { flags, options, terminal, values } = invocation;
  const [event] = values;
  const request = await readRequest(invocation);
  const session = chooseSession(await findSessions(terminal.folder), options.console);
  const answer = await post(session, request);
  const { attempts } = answer;
  const state = toText(answer['state']);
  const [attempt] = Array.isArray(attempts) ? (attempts as readonly Json[]) : [];
  const outcome = isJsonObject(attempt) ? describeAttempt(attempt) : 'not sent';
  const result = {
    exitCode: state === 'acknowledged' ? exitCodes.ok : exitCodes.problems,
    data: { event, delivery: answer },
    describe: () => (flags.quiet ? '' : `${event}: ${state}, ${outcome}\n`),
  };
  return await showResults([result], invocation);
}

/** Returns the body of the request. JSON leaves out members that are `undefined`. */
async function readRequest({ options, values, terminal }: SendInvocation): Promise<object> {
  const { example, data, payload, allowInvalid, sample, parameter, fault: faults } = options;
  return {
    kind: values[0],
    example,
    dataText: await readJsonOption('--data', data, terminal.folder),
    payloadText: await readJsonOption('--payload', payload, terminal.folder),
    sample,
    parameters: parameter && Object.fromEntries(parameter),
    allowInvalid,
    faults,
  };
}

function chooseSession(sessions: readonly Session[], address: string | undefined): Session {
  const matching = sessions.filter(
    ({ console }) => address === undefined || console === `${address.replace(/\/$/u, '')}/`,
  );
  const [session, ...moreSessions] = matching;
  const consoles = sessions.map(({ console }) => console).join(', ');
  if (session === undefined)
    throw new CommandError(
      'no-simulator',
      consoles === ''
        ? 'No simulator is running for this project. Start one with `countersign simulate`, or name the endpoint with --to.'
        : `No simulator of this project has the console ${address}. The consoles are ${consoles}.`,
    );
  if (moreSessions.length === 0) return session;
  throw new CommandError(
    'usage',
    `Several simulators are running. Choose one with --console: ${consoles}.`,
  );
}

async function post({ console, token }: Session, request: object): Promise<JsonObject> {
  const response = await fetch(new URL('api/trigger', console), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-countersign-console': 'trigger',
    },
    body: JSON.stringify(request),
  }).catch((error: unknown) => {
    throw new CommandError('no-simulator', `The simulator at ${console} does not answer.`, {
      cause: error,
    });
  });
  const answer = (await response.json()) as Json;
  if (!isJsonObject(answer))
    throw new CommandError('no-simulator', 'The simulator gave no answer.');
  if (response.ok) return answer;
  const { error } = answer;
  const message = isJsonObject(error) ? error['message'] : undefined;
  throw new CommandError(
    response.status === 404 || response.status === 400 ? 'usage' : 'not-sent',
    typeof message === 'string' ? message : `The simulator answered ${response.status}.`,
  );
}

function describeAttempt({ response, error, nextAttemptInMs }: JsonObject): string {
  const status = isJsonObject(response) ? `status ${toText(response['status'])}` : toText(error);
  return typeof nextAttemptInMs === 'number'
    ? `${status}, again in ${(nextAttemptInMs / 1000).toFixed(1)} s`
    : status;
}

function toText(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'unknown';
}
