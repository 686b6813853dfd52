import { RefusedRequest } from '@countersign/console/frame';
import { Hono } from 'hono';
import { callFaults, deliveryFaults } from '../faults.ts';
import type { NotificationData, OperationData, WorkflowData } from '../service-description.ts';
import type { ConsoleContext } from './console-context.ts';

/** What the page shows of a service before anything has happened. Contains no value of a credential. */
export interface ServiceOverview {
  readonly title: string;
  readonly version: string;
  readonly url: string;
  readonly operations: readonly Pick<OperationData, 'name' | 'method' | 'path' | 'summary'>[];
  readonly kinds: readonly (Pick<
    NotificationData,
    'summary' | 'method' | 'path' | 'parameters' | 'contentType'
  > & { readonly kind: string; readonly examples: readonly string[] })[];
  readonly questions: readonly {
    readonly id: string;
    readonly question: string;
    readonly choices: readonly { readonly name: string; readonly meaning: string }[];
    readonly current?: string;
  }[];
  /** The names of the credentials. */
  readonly credentials: readonly string[];
  readonly faults: { readonly delivery: readonly string[]; readonly call: readonly string[] };
  readonly workflows: readonly (Pick<WorkflowData, 'id' | 'summary' | 'inputs'> & {
    readonly steps: readonly Omit<WorkflowData['steps'][number], 'source'>[];
  })[];
}

/** Describes the service: its operations, kinds, open questions, faults and workflows. */
export function describeRoutes({ simulator }: ConsoleContext): Hono {
  return new Hono()
    .get('/description', (context) => context.json(overview(simulator)))
    .get('/kinds/:kind', (context) => {
      const kind = context.req.param('kind');
      const notification = simulator.description.notifications.find(
        (candidate) => candidate.name === kind,
      );
      if (notification === undefined)
        throw new RefusedRequest(404, 'unknown-name', 'The contract has no such kind.');
      const { examples, invalidExamples, samples } = notification;
      return context.json({ kind, examples, invalidExamples, samples });
    });
}

function overview({ description, url, answers }: ConsoleContext['simulator']): ServiceOverview {
  const { info, operations, notifications, unstated, credentials, workflows } = description;
  return {
    title: info.title,
    version: info.version,
    url,
    operations: operations.map(({ name, method, path, summary }) => ({
      name,
      method,
      path,
      ...(summary !== undefined && { summary }),
    })),
    kinds: notifications.map(
      ({ name: kind, summary, method, path, parameters, contentType, examples }) => ({
        kind,
        ...(summary !== undefined && { summary }),
        method,
        path,
        parameters,
        contentType,
        examples: examples.map(({ name }) => name),
      }),
    ),
    questions: unstated.map(({ id, question, choices }) => {
      const current = answers[id];
      return {
        id,
        question,
        choices: choices.map(({ name, meaning }) => ({ name, meaning })),
        ...(current !== undefined && { current }),
      };
    }),
    credentials: credentials.map(({ name }) => name),
    faults: { delivery: deliveryFaults, call: callFaults },
    workflows: workflows.map(({ id, summary, inputs, steps }) => ({
      id,
      ...(summary !== undefined && { summary }),
      ...(inputs !== undefined && { inputs }),
      steps: steps.map(({ id: name, kind, description: text, targets }) => ({
        id: name,
        kind,
        targets,
        ...(text !== undefined && { description: text }),
      })),
    })),
  };
}
