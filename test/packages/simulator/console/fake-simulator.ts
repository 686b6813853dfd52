import { Redactor } from '../../../../packages/simulator/src/sending/redact.ts';
import { stepsOf } from '../../../../packages/simulator/src/workflows/plan.ts';
import {
  type CallEntry,
  type Delivery,
  type DeliveryEntry,
  type ServedNotification,
  type Simulator,
  type StepState,
  type TriggerOptions,
  type WorkflowRun,
  createMemoryJournal,
  SimulatorError,
} from '../../../../packages/simulator/src/index.ts';
import { createClock } from '../../../../packages/simulator/src/virtual-clock.ts';

/** A secret that must occur nowhere. */
export const secret = 'made-up-secret-0123456789';

/** A simulator without a service: it records what it is asked to do. */
export interface FakeSimulator extends Simulator {
  readonly triggered: { readonly kind: string; readonly options: TriggerOptions }[];
  revoked: number;
  readonly proceeded: string[];
}

/** What a fake can have that others do not. */
export interface FakeOptions {
  readonly to?: string;
  readonly maxEntries?: number;
}

/** Creates a simulator whose deliveries are acknowledged without being sent. */
export function createFakeSimulator({ to, maxEntries }: FakeOptions = {}): FakeSimulator {
  const journal = createMemoryJournal(maxEntries);
  const clock = createClock(true);
  const triggered: FakeSimulator['triggered'] = [];
  const proceeded: string[] = [];
  const runs: WorkflowRun[] = [];
  const deliver = (kind: string, options: TriggerOptions): Delivery => {
    const notification = notifications.find((candidate) => candidate.name === kind);
    if (notification === undefined)
      throw new SimulatorError('unknown-name', `The contract has no kind "${kind}".`);
    triggered.push({ kind, options });
    const payload = options.payload ?? notification.examples[0]?.value ?? {};
    const entry = journal.add({
      ...deliveryEntry(clock.now(), kind, JSON.stringify(payload, undefined, 2)),
      faults: [...(options.faults ?? [])],
      ...(options.run !== undefined && { run: options.run }),
    });
    return { id: entry.delivery, kind, attempts: [entry], state: 'acknowledged' };
  };
  const fake: FakeSimulator = {
    clientCertificate: undefined,
    publicKeys: {},
    description: {
      modelVersion: 2,
      info: { title: 'Parcel service', version: '1.2.0' },
      operations: [
        {
          name: 'createParcel',
          id: 'create-parcel',
          method: 'POST',
          path: '/parcels',
          summary: 'Registers a parcel',
          parameters: [],
          responses: [],
          security: [],
        },
      ],
      notifications,
      security: [],
      credentials: [{ name: 'signingKey', form: 'key' }],
      unstated: [
        {
          id: 'signed-path',
          optionName: 'signedPath',
          question: 'Which path is signed?',
          assumed: 'path',
          choices: [
            { name: 'path', meaning: 'The path alone', value: '$url.path' },
            { name: 'path-and-query', meaning: 'With the query', value: '$url.path+query' },
          ],
        },
      ],
      workflows: [
        {
          id: 'ship',
          summary: 'Ships a parcel, and reports its arrival',
          steps: [
            { id: 'create', kind: 'call', names: ['createParcel'], definition: {} },
            {
              id: 'pack',
              kind: 'note',
              description: 'The sender packs the parcel.',
            },
            { id: 'arrive', kind: 'receive', names: ['parcelDelivered'], definition: {} },
          ],
          definition: {},
        },
      ],
      servers: { overrides: [], tokenEndpoints: [] },
      samples: {
        bodies: {},
        payloads: {
          parcelDelivered: [{ parcel: 'p-9', weight: 1 }],
          parcelLost: [{ reason: 'unknown' }],
        },
      },
      parameterChecks: new Map(),
      checks: new Map([
        [
          'parcel',
          {
            accepts: (value) => violationsOf(value).length === 0,
            violations: violationsOf,
          },
        ],
      ]),
    },
    url: 'http://127.0.0.1:4010/v1',
    baseUrls: {},
    credentials: { signingKey: secret },
    redact: new Redactor([secret]).redact,
    answers: { 'signed-path': 'path' },
    journal,
    clock,
    calls: [],
    deliveries: [],
    to,
    faults: {},
    triggered,
    proceeded,
    revoked: 0,
    async trigger(kind, options = {}) {
      return deliver(kind, options);
    },
    async sendAgain(entry: DeliveryEntry) {
      return deliver(entry.kind, {});
    },
    plan: () => [],
    play: async () => [],
    respond: () => () => undefined,
    revokeTokens: () => {
      fake.revoked += 1;
    },
    start(workflow) {
      const definition = fake.description.workflows.find(({ id }) => id === workflow);
      if (definition === undefined)
        throw new SimulatorError('unknown-name', `The contract has no workflow "${workflow}".`);
      const id = `run-${runs.length + 1}`;
      let step = 1;
      let ended: WorkflowRun['state'] | undefined;
      const run: WorkflowRun = {
        id,
        workflow,
        get state() {
          return ended ?? (step >= definition.steps.length ? 'passed' : 'running');
        },
        get steps() {
          return stepsOf(definition).map(({ id: name, kind }, index): StepState => ({
            id: name,
            kind,
            state: index < step ? 'passed' : index === step && !ended ? 'waiting' : 'pending',
            outputs: index === 0 ? { key: secret, parcel: 'p-1' } : {},
            ...(index < step && { durationMs: 12 }),
          }));
        },
        outputs: {},
        proceed() {
          proceeded.push(id);
          step += 1;
          record(`Continued to step ${step}.`);
        },
        cancel() {
          ended = 'failed';
          record('Cancelled.');
        },
        done: Promise.resolve(),
      };
      const record = (message: string): void => {
        const state = run.state === 'failed' ? 'failed' : 'passed';
        journal.add({ type: 'step', at: clock.now(), run: id, workflow, state, message });
      };
      runs.push(run);
      journal.add({
        type: 'step',
        at: clock.now(),
        run: id,
        workflow,
        state: 'started',
        message: 'The run started.',
      });
      return run;
    },
    runs,
    settled: async () => undefined,
    close: async () => clock.close(),
  };
  return fake;
}

const notifications: readonly ServedNotification[] = [
  {
    name: 'parcelDelivered',
    summary: 'A parcel has arrived',
    label: {
      path: '/parcels/{parcel}/delivered',
      parameters: [{ name: 'parcel', inPayload: '/parcel' }],
    },
    delivery: { method: 'POST', contentType: 'application/json', headers: {} },
    wire: 'parcel',
    examples: [
      { name: 'delivered', value: { parcel: 'p-1', weight: 2.5, signedBy: 'Ana' } },
      { name: 'light', value: { parcel: 'p-2', weight: 0.1 } },
    ],
    invalidExamples: [{ name: 'heavy', value: { parcel: 'p-3', weight: 'heavy' } }],
    security: [],
    openCodes: [],
  },
  {
    name: 'parcelLost',
    delivery: { method: 'PUT', contentType: 'application/json', headers: {} },
    wire: 'lost',
    examples: [],
    invalidExamples: [],
    security: [],
    openCodes: [],
  },
];

function violationsOf(
  value: unknown,
): readonly { readonly pointer: string; readonly keyword: string; readonly message: string }[] {
  if (typeof value !== 'object' || value === null)
    return [{ pointer: '', keyword: 'type', message: 'must be an object' }];
  const violations = [];
  if (!('parcel' in value))
    violations.push({ pointer: '', keyword: 'required', message: 'must have the member parcel' });
  if ('weight' in value && typeof value.weight !== 'number')
    violations.push({ pointer: '/weight', keyword: 'type', message: 'must be a number' });
  return violations;
}

/** Returns a delivery that a receiver acknowledged. */
export function deliveryEntry(
  at: number,
  kind: string,
  text: string,
): Omit<DeliveryEntry, 'id'> & { readonly type: 'delivery' } {
  return {
    type: 'delivery',
    at,
    delivery: `d-${at}`,
    attempt: 1,
    kind,
    faults: [],
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:3000/webhooks/parcels/p-1/delivered',
      headers: [
        ['host', '127.0.0.1:3000'],
        ['content-type', 'application/json'],
        ['x-signature', '[redacted]'],
      ],
      body: { encoding: 'utf-8', text, size: Buffer.byteLength(text) },
    },
    response: { status: 200, headers: [], body: { encoding: 'utf-8', text: '', size: 0 } },
    durationMs: 8,
    isAcknowledged: true,
    violations: [],
  };
}

/** Returns a call that was refused for its signature. */
export function callEntry(at: number): Omit<CallEntry, 'id'> & { readonly type: 'call' } {
  const text = '{"parcel":"p-1"}';
  return {
    type: 'call',
    at,
    operation: 'createParcel',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:4010/v1/parcels?dry=true',
      headers: [
        ['content-type', 'application/json'],
        ['apikey', '[redacted]'],
        ['x-timestamp', '2026-01-01T00:00:00Z'],
        ['x-signature', 'q83vEjRWeJA='],
      ],
      body: { encoding: 'utf-8', text, size: text.length },
    },
    response: {
      status: 401,
      headers: [['content-type', 'application/json']],
      body: { encoding: 'utf-8', text: '{"error":"signature"}', size: 21 },
    },
    durationMs: 3,
    faults: [],
    steps: [
      { name: 'route', outcome: 'passed', message: 'The path is that of createParcel.' },
      { name: 'api-key', outcome: 'passed', message: 'The key is that of the credential apiKey.' },
      {
        name: 'signature',
        outcome: 'failed',
        code: 'wrong-signature',
        message: 'The signature does not match the request.',
        fix: 'Sign the path without its query.',
        signature: {
          parts: [
            { expression: '$request.header.apikey', text: '[redacted]' },
            { expression: '$request.header.x-timestamp', text: '2026-01-01T00:00:00Z' },
            { expression: '$request.body', text },
            { expression: '$url.path', text: '/v1/parcels' },
          ],
          received: 'q83vEjRWeJA=',
          differsAt: 4,
          deviations: [
            {
              code: 'path-with-query',
              message: 'It matches if the path is signed with its query.',
              fix: 'Sign the path without its query.',
              answer: { id: 'signed-path', choice: 'path-and-query' },
            },
          ],
        },
      },
      {
        name: 'body',
        outcome: 'warned',
        code: 'body',
        message: 'The body violates the contract.',
        violations: [{ pointer: '/parcel', keyword: 'minLength', message: 'is too short' }],
      },
    ],
  };
}
