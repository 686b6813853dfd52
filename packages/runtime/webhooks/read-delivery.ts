import { timedOut, within } from './deadline.ts';
import type { Delivery } from './delivery.ts';
import { isPromise, type MaybePromise } from './maybe-promise.ts';
import type { Bounds } from './options.ts';
import type { Reason } from './outcome.ts';
import { isWebhookError } from './webhook-error.ts';

/** Why the body could not be read. */
export interface Unread {
  readonly reason: Reason;
  readonly error?: unknown;
}

/** Checks the method and size of a delivery, and reads its body. Returns `undefined` on success. Never rejects. */
export function readDelivery(
  delivery: Delivery,
  methods: ReadonlySet<string>,
  bounds: Bounds,
): MaybePromise<Unread | undefined> {
  const { request } = delivery;
  const { maxBodyBytes } = bounds;
  if (!methods.has(request.method)) return { reason: 'wrong-method' };
  for (const length of request.headers('content-length'))
    if (Number(length) > maxBodyBytes) return { reason: 'too-large' };
  try {
    const body = request.read(maxBodyBytes, delivery);
    return isPromise(body) ? waitFor(body, delivery, bounds) : take(body, delivery, bounds);
  } catch (error) {
    return toUnread(error);
  }
}

async function waitFor(
  reading: Promise<Uint8Array>,
  delivery: Delivery,
  bounds: Bounds,
): Promise<Unread | undefined> {
  try {
    const body = await within(reading, bounds.readTimeoutMs);
    if (body !== timedOut) return take(body, delivery, bounds);
    delivery.end();
    return { reason: 'too-slow' };
  } catch (error) {
    return toUnread(error);
  }
}

function take(body: Uint8Array, delivery: Delivery, { maxBodyBytes }: Bounds): Unread | undefined {
  if (body.length > maxBodyBytes) return { reason: 'too-large' };
  delivery.body = body;
  return undefined;
}

function toUnread(error: unknown): Unread {
  if (!isWebhookError(error)) return { reason: 'unreadable' };
  if (error.code === 'too-large') return { reason: 'too-large' };
  return { reason: error.code === 'body-consumed' ? 'body-consumed' : 'unreadable', error };
}
