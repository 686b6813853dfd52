import type { Receive } from '@instant-payment/runtime/webhooks';
import { toFetchHandler } from '@instant-payment/runtime/webhooks/fetch';
import * as main from '@instant-payment/webhooks';
import * as testing from '@instant-payment/webhooks/testing';

/** What an application shares with the suite that runs in its process: the packages as the host has built them. */
interface Shared {
  main?: typeof main;
  testing?: typeof testing;
  receive?: Receive;
}

const shared = ((globalThis as { hosted?: Shared }).hosted ??= {});
Object.assign(shared, { main, testing });

const receive: Receive = (request) => {
  if (shared.receive === undefined) throw new Error('The suite has started no receiver.');
  return shared.receive(request);
};

/** The receiver that the suite has started last, as the application of a recipe has it. */
export const webhooks: main.Webhooks = { receive, fetch: toFetchHandler(receive) };

/** The same for applications that make it of their environment. */
export const webhooksOf = (_env: object): main.Webhooks => webhooks;
