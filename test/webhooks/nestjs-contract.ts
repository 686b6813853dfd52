import type { ConfigurableModuleCls } from '@nestjs/common';
import {
  createReceiver,
  unauthenticated,
  type Catalogue,
  type DeliveryRecord,
  type Reactions,
  type ReceiverOptions,
} from '../../packages/webhooks/src/index.ts';
import {
  createOn,
  createWebhooksModule,
  type MountOptions,
  type On,
} from '../../packages/webhooks/src/nestjs.ts';

const hasId = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'id' in value;
const violations = [{ pointer: '', keyword: 'required', message: 'has no id' }];
const kind = { check: { accepts: hasId, violations: () => violations } };
const nothing = { nodes: [], start: [] };

/** A contract of two kinds, told apart by their labels. */
const catalogue: Catalogue = {
  kinds: new Map([
    ['created', kind],
    ['deleted', kind],
  ]),
  unions: new Map(),
  routes: ['created', 'deleted'].map((name) => ({
    segments: [name],
    kinds: [{ method: '', kinds: [name] }],
  })),
  methods: ['POST'],
  reads: [],
  kindOf: nothing,
  forms: new Map(),
  formOf: nothing,
};

export const OnCreated: On = createOn();
export const OnDeleted: On = createOn();
export const OnOtherwise: On = createOn();
export const OnInvalid: On = createOn();

/** The module of that contract, as a generated package has it. */
export const WebhooksModule: ConfigurableModuleCls<ReceiverOptions & MountOptions, 'forRoot'> =
  createWebhooksModule<ReceiverOptions>({
    on: [
      ['created', OnCreated],
      ['deleted', OnDeleted],
    ],
    otherwise: OnOtherwise,
    onInvalid: OnInvalid,
    createReceive: (options: ReceiverOptions & Reactions) => createReceiver(catalogue, options),
  });

/** Options that trust everybody, and the records that they lead to. */
export function trusting(): ReceiverOptions & { readonly records: DeliveryRecord[] } {
  const records: DeliveryRecord[] = [];
  return {
    authenticate: unauthenticated(),
    onOutcome: (record) => records.push(record),
    records,
  };
}
