import {
  createReceiver,
  unauthenticated,
  type Catalogue,
  type DeliveredRequest,
  type DeliveryRecord,
  type Reactions,
  type Receive,
  type ReceiverOptions,
} from '../../../../packages/runtime/webhooks/receiver.ts';

/** A contract without notifications: every delivery is of no kind. */
export const withoutKinds: Catalogue = {
  name: 'test',
  kinds: new Map(),
  unions: new Map(),
  routes: [],
  methods: ['POST'],
  reads: [],
  kindOf: { nodes: [], start: [] },
  forms: new Map(),
  formOf: { nodes: [], start: [] },
};

/** A receiver and what it was given. */
export interface BareReceiver {
  readonly receive: Receive;
  readonly records: DeliveryRecord[];
  /** What was authenticated. */
  readonly requests: DeliveredRequest[];
  /** What was handled, decoded. */
  readonly bodies: string[];
}

/** Makes a receiver that takes everything that is JSON, unless the options say otherwise. */
export function createBareReceiver(
  options: Partial<ReceiverOptions & Reactions> = {},
): BareReceiver {
  const records: DeliveryRecord[] = [];
  const requests: DeliveredRequest[] = [];
  const bodies: string[] = [];
  const authenticate = unauthenticated();
  const receive = createReceiver(withoutKinds, {
    authenticate: (request) => {
      requests.push(request);
      return authenticate(request);
    },
    on: {},
    otherwise: (_event, { body }) => bodies.push(Buffer.from(body).toString()),
    onInvalid: () => undefined,
    onEvent: (record) => records.push(record),
    ...options,
  });
  return { receive, records, requests, bodies };
}
