import type { ConfigurableModuleCls } from '@nestjs/common';
import {
  createReceiver,
  unauthenticated,
  type DeliveryRecord,
  type Reactions,
  type ReceiverOptions,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import {
  createOn,
  createWebhooksModule,
  type MountOptions,
  type On,
} from '../../../../packages/runtime/adapters/nestjs.ts';
import { twoKinds } from './two-kinds.ts';

export const OnCreated: On = createOn();
export const OnDeleted: On = createOn();
export const OnOtherwise: On = createOn();
export const OnInvalid: On = createOn();

/** The module of the contract of two kinds, as a generated package has it. */
export const WebhooksModule: ConfigurableModuleCls<ReceiverOptions & MountOptions, 'forRoot'> =
  createWebhooksModule<ReceiverOptions>({
    on: [
      ['created', OnCreated],
      ['deleted', OnDeleted],
    ],
    otherwise: OnOtherwise,
    onInvalid: OnInvalid,
    createReceive: (options: ReceiverOptions & Reactions) => createReceiver(twoKinds, options),
  });

/** Options that trust everybody, and the records that they lead to. */
export function trusting(): ReceiverOptions & { readonly records: DeliveryRecord[] } {
  const records: DeliveryRecord[] = [];
  return {
    authenticate: unauthenticated(),
    onEvent: (record) => records.push(record),
    records,
  };
}
