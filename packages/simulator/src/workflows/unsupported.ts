import { elementsOf, memberOf, textOf } from '../sending/json-object.ts';
import { parsePointer } from '../sending/json-path.ts';
import type { Example, Json, Notification } from 'countersign/kit';
import type { ServedWorkflow } from '../service.ts';
import { parseExpression } from './expression.ts';
import { correlationPlace } from './make-payload.ts';
import { planWorkflow, stepsReadBy, stepsOf } from './plan.ts';
import { checkQuery } from './json-path-query.ts';
import { selectorType } from './resolve-value.ts';
import {
  type UnsupportedValue,
  type Placed,
  attempt,
  inCriterion,
  inValue,
} from './unsupported-values.ts';

/** What a runner does not support in a workflow. */
export interface UnsupportedFeature {
  /** The id of the step; absent for the workflow itself. */
  readonly step?: string;
  /** The members from the Step Object, or from the Workflow Object. */
  readonly path: readonly string[];
  readonly message: string;
  readonly help: string;
}

/** The examples of a notification. */
interface NamedExamples extends Pick<Notification, 'name'> {
  readonly examples: readonly Pick<Example, 'value'>[];
}

/**
 * Returns what the runner does not support in a workflow, in the order of the document.
 * @param notifications the notifications of the contract, with their examples
 */
export function findUnsupported(
  workflow: ServedWorkflow,
  notifications: readonly NamedExamples[],
): readonly UnsupportedFeature[] {
  const steps = stepsOf(workflow);
  const ids = new Map(steps.map(({ id }, index) => [id, index]));
  return [
    ...inSource(workflow.definition, ids),
    ...steps.flatMap(({ id, kind, names, definition }, index) => {
      const sourceFindings = inSource(definition, ids);
      const needed = dependencies(definition, ids, index);
      const target =
        kind !== 'note' && names.length === 0
          ? [
              {
                path: [],
                message: `The step "${id}" names nothing that the simulator can ${kind === 'receive' ? 'deliver' : 'answer'}.`,
                help: 'Name an operation, or a channel with a notification over HTTP.',
              },
            ]
          : [];
      return [
        ...target,
        ...needed,
        ...sourceFindings,
        ...correlation(workflow, index, notifications),
      ].map((finding) => ({ ...finding, step: id }));
    }),
  ];
}

function inSource(definition: Json, ids: ReadonlyMap<string, number>): readonly UnsupportedValue[] {
  return [
    ...elementsAt(definition, 'successCriteria').flatMap(inCriterion),
    ...['onSuccess', 'onFailure', 'successActions', 'failureActions'].flatMap((name) =>
      elementsAt(definition, name).flatMap((at) => inAction(at, ids)),
    ),
    ...elementsAt(definition, 'parameters').flatMap(inParameter),
    ...elementsAt(memberOf(definition, 'requestBody') ?? null, 'replacements').flatMap(
      ({ path, value }) => inReplacement({ path: ['requestBody', ...path], value }),
    ),
    ...['outputs', 'correlationId', 'requestBody'].flatMap((name) =>
      inValue({ path: [name], value: memberOf(definition, name) ?? null }),
    ),
  ];
}

function elementsAt(definition: Json, name: string): readonly Placed[] {
  return elementsOf(memberOf(definition, name)).map((value, index) => ({
    path: [name, String(index)],
    value,
  }));
}

function inAction(
  { path, value }: Placed,
  ids: ReadonlyMap<string, number>,
): readonly UnsupportedValue[] {
  if (memberOf(value, 'reference') !== undefined) {
    const message = `"${textOf(value, 'reference') ?? ''}" is not an action of the document.`;
    return [
      {
        path,
        message,
        help: 'Name an entry of `components`, such as `$components.failureActions.again`.',
      },
    ];
  }
  const stepId = textOf(value, 'stepId');
  const unknown =
    stepId !== undefined && !ids.has(stepId)
      ? [
          {
            path: [...path, 'stepId'],
            message: `"${stepId}" is not a step of the workflow.`,
            help: 'Name a step of the same workflow.',
          },
        ]
      : [];
  const criteria = elementsAt(value, 'criteria').flatMap((criterion) =>
    inCriterion({ path: [...path, ...criterion.path], value: criterion.value }),
  );
  const parameters = inValue({
    path: [...path, 'parameters'],
    value: memberOf(value, 'parameters') ?? null,
  });
  return [...unknown, ...criteria, ...parameters];
}

function inParameter({ path, value }: Placed): readonly UnsupportedValue[] {
  if (memberOf(value, 'reference') !== undefined) {
    const message = `"${textOf(value, 'reference') ?? ''}" is not a parameter of the document.`;
    return [{ path, message, help: 'Name an entry of `components.parameters`.' }];
  }
  if (textOf(value, 'in') !== 'querystring')
    return inValue({ path: [...path, 'value'], value: memberOf(value, 'value') ?? null });
  const message = 'The simulator does not support parameters in `querystring`.';
  return [{ path: [...path, 'in'], message, help: 'State each parameter in `query`.' }];
}

function inReplacement({ path, value }: Placed): readonly UnsupportedValue[] {
  const type = selectorType(memberOf(value, 'targetSelectorType'))?.type ?? 'jsonpointer';
  const target = textOf(value, 'target') ?? '';
  const isSupported =
    type === 'jsonpath'
      ? !target.includes('{$') && attempt([], '', () => checkQuery(target)).length === 0
      : type === 'jsonpointer' && parsePointer(target) !== undefined;
  if (isSupported) return [];
  const message = `The simulator does not support the target "${target}" of a replacement.`;
  return [{ path: [...path, 'target'], message, help: 'Use a JSON Pointer or a JSONPath.' }];
}

/** Checks that a step depends only on steps of its workflow that start without it. */
function dependencies(
  definition: Json,
  ids: ReadonlyMap<string, number>,
  index: number,
): readonly UnsupportedValue[] {
  const stated = elementsAt(definition, 'dependsOn').flatMap(
    ({ path, value }): UnsupportedValue[] =>
      typeof value === 'string' && !ids.has(value)
        ? [
            {
              path,
              message: `The step depends on "${value}", which is not a step of the same workflow.`,
              help: 'Name steps of the same workflow, or let the workflow depend on the other one.',
            },
          ]
        : [],
  );
  const later = [
    ...elementsOf(memberOf(definition, 'dependsOn')).flatMap((name) =>
      typeof name === 'string' ? [name] : [],
    ),
    ...stepsReadBy(definition),
  ].find((name) => (ids.get(name) ?? -1) >= index);
  return later === undefined
    ? stated
    : [
        ...stated,
        {
          path: [],
          message: `The step needs the step "${later}", which does not come before it.`,
          help: 'Put steps after those that they depend on.',
        },
      ];
}

/** Checks that an example of each notification has a place for the correlation id. */
function correlation(
  workflow: ServedWorkflow,
  index: number,
  notifications: readonly NamedExamples[],
): readonly UnsupportedValue[] {
  const plan = planWorkflow(workflow);
  const step = plan.steps.filter(({ isPrerequisite }) => isPrerequisite !== true)[index];
  const expression = textOf(step?.definition, 'correlationId');
  if (step?.kind !== 'receive' || expression === undefined || !isValid(expression)) return [];
  const examples = notifications
    .filter(({ name }) => step.names.includes(name))
    .flatMap(({ name, examples: own }) => own.map(({ value }) => ({ kind: name, value })));
  const hasPlace = examples.some(
    ({ kind, value }) => correlationPlace(step, plan, kind, expression, value) !== undefined,
  );
  return examples.length === 0 || hasPlace
    ? []
    : [
        {
          path: ['correlationId'],
          message: `The messages of the step "${step.id}" have no place for the correlation id.`,
          help: 'State `correlationId.location` in the messages of the AsyncAPI document.',
        },
      ];
}

function isValid(expression: string): boolean {
  return attempt([], '', () => parseExpression(expression)).length === 0;
}
