import { RefusedRequest } from '@countersign/console/frame';
import { Hono } from 'hono';
import { callFaults, deliveryFaults } from '../faults.ts';
import { samplesOf } from '../deliveries/payload.ts';
import type { ServedNotification, ServedOperation } from '../service.ts';
import { type RunnableStep, stepsOf } from '../workflows/plan.ts';
import type { Json } from 'countersign/kit';
import type { ConsoleContext } from './console-context.ts';

/** What the page shows of a service before anything has happened. Contains no value of a credential. */
export interface ServiceOverview {
  readonly title: string;
  readonly version: string;
  readonly url: string;
  readonly operations: readonly Pick<ServedOperation, 'name' | 'method' | 'path' | 'summary'>[];
  readonly kinds: readonly (Pick<ServedNotification, 'summary'> & {
    readonly kind: string;
    readonly method: string;
    /** The path template of the label; empty where the contract states none. */
    readonly path: string;
    readonly parameters: readonly { readonly name: string; readonly inPayload?: string }[];
    /** Empty where the data is in the query. */
    readonly contentType: string;
    readonly examples: readonly string[];
  })[];
  readonly questions: readonly {
    readonly id: string;
    readonly question: string;
    readonly choices: readonly { readonly name: string; readonly meaning: string }[];
    readonly current?: string;
  }[];
  /** The names of the credentials. */
  readonly credentials: readonly string[];
  readonly faults: { readonly delivery: readonly string[]; readonly call: readonly string[] };
  readonly workflows: readonly {
    readonly id: string;
    readonly summary?: string;
    /** The JSON Schema of its inputs. */
    readonly inputs?: Json;
    readonly steps: readonly Pick<RunnableStep, 'id' | 'kind' | 'description' | 'names'>[];
  }[];
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
      const { examples, invalidExamples } = notification;
      const samples = samplesOf(simulator.description, kind);
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
    kinds: notifications.map(({ name: kind, summary, label, delivery, examples }) => ({
      kind,
      ...(summary !== undefined && { summary }),
      method: delivery.method,
      path: label?.path ?? '',
      parameters: label?.parameters ?? [],
      contentType: delivery.contentType ?? '',
      examples: examples.map(({ name }) => name),
    })),
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
    workflows: workflows.map(({ id, summary, definition, ...workflow }) => ({
      id,
      ...(summary !== undefined && { summary }),
      ...(definition['inputs'] !== undefined && { inputs: definition['inputs'] }),
      steps: stepsOf(workflow).map(({ id: name, kind, description: text, names }) => ({
        id: name,
        kind,
        names,
        ...(text !== undefined && { description: text }),
      })),
    })),
  };
}
