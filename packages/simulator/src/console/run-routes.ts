import {
  dictionary,
  integer,
  json,
  members,
  readBody,
  RefusedRequest,
  required,
  text,
} from '@countersign/console/frame';
import { Hono } from 'hono';
import type { Json } from 'countersign/kit';
import { isArray, isObject, membersOf } from '../sending/json-object.ts';
import type { WorkflowRun } from '../workflow-run.ts';
import type { ConsoleContext } from './console-context.ts';

/** A workflow run as JSON. */
export type RunData = Pick<WorkflowRun, 'id' | 'workflow' | 'state' | 'steps' | 'outputs'>;

/** Starts, lists, continues and cancels workflow runs. */
export function runRoutes(shared: ConsoleContext): Hono {
  const { simulator } = shared;
  const toData = (run: WorkflowRun): RunData => {
    const { id, workflow, state, steps, outputs } = run;
    const data = { id, workflow, state, steps, outputs };
    // Outputs come from requests and responses, which can contain credentials.
    return redactJson(data as unknown as Json, shared.redact) as unknown as RunData;
  };
  const find = (id: string): WorkflowRun => {
    const matchingRun = simulator.runs.find((run) => run.id === id);
    if (matchingRun !== undefined) return matchingRun;
    throw new RefusedRequest(404, 'not-found', 'There is no such run.');
  };
  return new Hono()
    .get('/runs', (context) => context.json({ runs: simulator.runs.map(toData) }))
    .get('/runs/:id', (context) => context.json(toData(find(context.req.param('id')))))
    .post('/runs', async (context) => {
      const { workflow, ...options } = await readBody(
        context,
        members({
          workflow: text(200),
          inputs: dictionary(json),
          callTimeoutMs: integer(1, 86_400_000),
        }),
      );
      return context.json(toData(simulator.start(required(workflow, 'workflow'), options)));
    })
    .post('/runs/:id/proceed', (context) => {
      const run = find(context.req.param('id'));
      run.proceed();
      return context.json(toData(run));
    })
    .post('/runs/:id/cancel', (context) => {
      const run = find(context.req.param('id'));
      run.cancel();
      return context.json(toData(run));
    });
}

function redactJson(value: Json, redact: (text: string) => string): Json {
  if (typeof value === 'string') return redact(value);
  if (isArray(value)) return value.map((element) => redactJson(element, redact));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    membersOf(value).map(([name, member]) => [name, redactJson(member, redact)]),
  );
}
