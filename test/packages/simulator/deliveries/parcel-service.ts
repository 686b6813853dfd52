import { onTestFinished } from 'vitest';
import { createContext } from '../../../../packages/simulator/src/create-context.ts';
import {
  createDeliverer,
  type Deliverer,
} from '../../../../packages/simulator/src/deliveries/deliverer.ts';
import type { Json } from 'countersign/kit';
import type {
  Check,
  Clock,
  DeliveryEntry,
  Journal,
  ServedNotification,
  Service,
  SimulatorOptions,
} from '../../../../packages/simulator/src/index.ts';
import { createMemoryJournal } from '../../../../packages/simulator/src/memory-journal.ts';
import { createClock } from '../../../../packages/simulator/src/virtual-clock.ts';
import { toSecurity } from '../to-security.ts';

type Parcel = { readonly [member: string]: Json };

function isObject(value: unknown): value is Parcel {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isParcel(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    /^PARCEL[A-Z0-9]{8}$/u.test(value['id']) &&
    typeof value['status'] === 'string' &&
    typeof value['weight'] === 'number'
  );
}

function createCheck(accepts: (value: unknown) => boolean): Check {
  return {
    accepts,
    violations: (value) =>
      accepts(value) ? [] : [{ pointer: '/id', keyword: 'type', message: 'must be string' }],
  };
}

const parcel: Parcel = { id: 'PARCEL00000001', status: 'SENT', weight: 2.5 };

const sent: ServedNotification = {
  name: 'parcelSent',
  label: {
    path: '/parcels/{id}/{office}',
    parameters: [{ name: 'id', inPayload: '/id' }, { name: 'office' }],
  },
  delivery: { method: 'POST', contentType: 'application/json', headers: { 'x-kind': 'sent' } },
  wire: 'parcel',
  examples: [
    { name: 'one', value: parcel },
    { name: 'heavy', value: { ...parcel, id: 'PARCEL00000002', weight: 80 } },
    { name: 'list', value: { parcels: [parcel] } },
  ],
  invalidExamples: [{ name: 'without-id', value: { status: 'SENT', weight: 1 } }],
  security: toSecurity([['signature']]),
  openCodes: [
    { path: ['status'], type: 'string' },
    { path: ['parcels', '*', 'status'], type: 'string' },
  ],
};

const lost: ServedNotification = {
  name: 'parcelLost',
  label: { path: '/lost', parameters: [] },
  delivery: { method: 'PUT', contentType: 'application/json', headers: {} },
  wire: 'lost',
  examples: [{ name: 'lost', value: { lost: 'PARCEL00000003' } }],
  invalidExamples: [],
  security: [],
  openCodes: [],
};

/** A service with a signed notification of two wire formats, and one without a signature. */
export const parcelService: Service = {
  modelVersion: 2,
  info: { title: 'Parcels', version: '1.0.0' },
  operations: [],
  notifications: [sent, lost],
  security: [
    {
      id: 'signature',
      type: 'apiKey',
      in: 'header',
      parameterName: 'x-signature',
      credential: 'signingKey',
      signature: {
        algorithm: 'hmac-sha256',
        key: { encoding: { unstated: 'key-encoding' } },
        over: ['$request.header.x-account', '$timestamp', '$request.body', '$url.path'],
        encoding: 'hex',
        header: 'x-signature',
        value: '{signature}',
        timestamp: { header: 'x-timestamp', format: 'unix-seconds', tolerance: 300 },
      },
    },
    {
      id: 'account',
      type: 'apiKey',
      in: 'header',
      parameterName: 'x-account',
      credential: 'account',
    },
  ],
  credentials: [
    { name: 'signingKey', form: 'key' },
    { name: 'account', form: 'text' },
  ],
  unstated: [
    {
      id: 'key-encoding',
      optionName: 'keyEncoding',
      question: 'How is the key encoded?',
      choices: [
        { name: 'text', meaning: 'As text.', value: 'utf-8' },
        { name: 'hex', meaning: 'As hexadecimal digits.', value: 'hex' },
      ],
    },
  ],
  workflows: [],
  servers: { overrides: [], tokenEndpoints: [] },
  samples: {
    bodies: {},
    payloads: { parcelSent: [{ id: 'PARCELSAMPLE01', status: 'A', weight: 0 }] },
  },
  parameterChecks: new Map(),
  checks: new Map([
    [
      'parcel',
      createCheck(
        (value) =>
          isParcel(value) ||
          (isObject(value) && Array.isArray(value['parcels']) && value['parcels'].every(isParcel)),
      ),
    ],
    ['lost', createCheck((value) => isObject(value) && typeof value['lost'] === 'string')],
  ]),
};

/** A deliverer with what it works with. */
export interface TestDeliverer extends Deliverer {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly credentials: Readonly<Record<string, string>>;
  /** Returns the attempts that the journal keeps. */
  readonly attempts: () => readonly DeliveryEntry[];
}

/** Creates a deliverer with a manual clock, which is closed when the test has finished. */
export function createTestDeliverer(
  options: SimulatorOptions = {},
  description: Service = parcelService,
): TestDeliverer {
  const clock = createClock(options.manualClock ?? true);
  const journal = options.journal ?? createMemoryJournal();
  const context = createContext(description, options, clock, journal);
  const deliverer = createDeliverer(context);
  onTestFinished(async () => {
    clock.close();
    await deliverer.close();
  });
  return Object.assign(deliverer, {
    clock,
    journal,
    credentials: context.credentials,
    attempts: () => journal.list().filter((entry) => entry.type === 'delivery'),
  });
}
