// Encrypts the payloads of a store, and exports its events.

import { InboxError, type InboxErrorCode, isInboxError, runWithin } from './errors.ts';
import {
  type Claim,
  type EventFilter,
  type Failure,
  type InboxEvent,
  type InboxEventWithPayload,
  type InboxOperations,
  type InboxStore,
  type Payload,
  type Receipt,
  withoutPointers,
} from './store.ts';

/** Identifies what is encrypted. Bind it to the ciphertext, so that two payloads cannot be exchanged. */
export interface CipherContext {
  readonly receiptId: string;
}

/** Encrypts and decrypts payloads. A call that takes longer than 10 seconds has failed. */
export interface PayloadCipher {
  readonly encrypt: (
    plaintext: Uint8Array,
    context: CipherContext,
  ) => Uint8Array | Promise<Uint8Array>;
  /** Returns what `encrypt` got. Must reject for bytes that `encrypt` did not return. */
  readonly decrypt: (
    ciphertext: Uint8Array,
    context: CipherContext,
  ) => Uint8Array | Promise<Uint8Array>;
}

/** The options of `encryptedStore`. */
export interface EncryptedStoreOptions extends PayloadCipher {
  /** Accepts payloads that were stored without encryption. Set it while there are any. Default: false. */
  readonly allowUnencrypted?: boolean;
}

/** The target that is stored instead of that of the delivery. It identifies the format. */
const encryptedTarget = 'countersign-encrypted/1';

const maxCipherMs = 10_000;

/**
 * Encrypts the target, the headers and the body of deliveries before a store gets them, and decrypts them for handlers
 * and for `reveal`. Everything else is stored as it is: kinds, keys, identities and verdicts, and the violations of a rejection
 * without their pointers, which have names of members. If a claimed event cannot
 * be decrypted, `complete` rejects with `decryption-failed`, and its claim has an empty payload.
 */
export function encryptedStore<Scope, Result>(
  store: InboxStore<Scope, Result>,
  options: EncryptedStoreOptions,
): InboxStore<Scope, Result> {
  /** The claims of the store, by those that the worker got. */
  const claims = new WeakMap<Claim, Claim>();
  const failures = new WeakMap<Claim, unknown>();
  const decrypted = new WeakMap<Uint8Array, Promise<Payload>>();
  /** Decrypts the payload that the events of a delivery share, once. */
  const decryptOnce = (event: InboxEventWithPayload, timeoutMs: number): Promise<Payload> => {
    const { body } = event;
    const cachedPayload = decrypted.get(body);
    if (cachedPayload !== undefined) return cachedPayload;
    const payload = decrypt(event, options, timeoutMs);
    decrypted.set(body, payload);
    payload.catch(() => decrypted.delete(body));
    return payload;
  };
  const toInner = (claim: Claim): Claim => claims.get(claim) ?? claim;

  return {
    receive: async (receipt, limits) =>
      await store.receive(await encrypt(receipt, options), limits),
    async tryToStore() {
      const empty = { target: '', headers: [], body: new Uint8Array() };
      await encrypt({ ...empty, id: 'probe', method: '', receivedAt: 0, events: [] }, options);
      await store.tryToStore();
    },
    async claim(request) {
      // Until the claims are returned, no worker renews them.
      const timeoutMs = Math.min(maxCipherMs, request.leaseMs / 2);
      const inner = await store.claim(request);
      return await Promise.all(
        inner.map(async (claim) => {
          if (claim.unreadable === true) return claim;
          let event: InboxEventWithPayload;
          let failure: unknown;
          try {
            event = { ...claim.event, ...(await decryptOnce(claim.event, timeoutMs)) };
          } catch (error) {
            event = { ...claim.event, target: '', headers: [], body: new Uint8Array() };
            failure = error;
          }
          const outer: Claim = { ...claim, event };
          claims.set(outer, claim);
          if (failure !== undefined) failures.set(outer, failure);
          return outer;
        }),
      );
    },
    async complete(claim, handle) {
      if (failures.has(claim)) throw failures.get(claim);
      return await store.complete(toInner(claim), handle);
    },
    async reveal(id, by) {
      const event = await store.reveal(id, by);
      return event && { ...event, ...(await decrypt(event, options, maxCipherMs)) };
    },
    hasInterrupted: async (alone) => await store.hasInterrupted(alone),
    extend: async (held, leaseMs) => await store.extend(held.map(toInner), leaseMs),
    fail: async (claim, failure) => await store.fail(toInner(claim), withoutNames(failure)),
    bury: async (claim, failure) => await store.bury(toInner(claim), withoutNames(failure)),
    async claimAlert(leaseMs) {
      const alert = await store.claimAlert(leaseMs);
      if (alert === undefined) return undefined;
      const { event } = alert;
      const empty = { target: '', headers: [], body: new Uint8Array() };
      // An alert about a payload that cannot be decrypted is given as well.
      const payload = await decrypt(event, options, maxCipherMs).catch(() => empty);
      return { ...alert, event: { ...event, ...payload } };
    },
    settleAlert: async (alert, outcome) => await store.settleAlert(alert, outcome),
    release: async (held) => await store.release(held.map(toInner)),
    stats: async () => await store.stats(),
    list: async (filter, page) => await store.list(filter, page),
    get: async (id) => await store.get(id),
    preview: async (action, filter) => await store.preview(action, filter),
    retry: async (filter, by) => await store.retry(filter, by),
    replay: async (filter, by) => await store.replay(filter, by),
    discard: async (filter, by) => await store.discard(filter, by),
    delete: async (request, by) => await store.delete(request, by),
    audit: async (pageSize) => await store.audit(pageSize),
    pruneAudit: async (request) => await store.pruneAudit(request),
    onStored: (listener) => store.onStored(listener),
    close: async () => await store.close(),
  };
}

/** Returns a failure without the names of members, which are part of the encrypted body. */
function withoutNames<F extends Failure>(failure: F): F {
  const { rejection } = failure;
  return rejection === undefined ? failure : { ...failure, rejection: withoutPointers(rejection) };
}

/** @throws InboxError `encryption-failed` */
async function encrypt(receipt: Receipt, cipher: PayloadCipher): Promise<Receipt> {
  const { id, target, headers, body } = receipt;
  try {
    const ciphertext = await limited(maxCipherMs, () =>
      cipher.encrypt(pack({ target, headers }, body), { receiptId: id }),
    );
    return { ...receipt, target: encryptedTarget, headers: [], body: ciphertext };
  } catch (error) {
    throw new InboxError('encryption-failed', 'The payload of a delivery was not encrypted', {
      cause: error,
    });
  }
}

/** @throws InboxError `decryption-failed` */
async function decrypt(
  event: InboxEventWithPayload,
  { decrypt: decipher, allowUnencrypted = false }: EncryptedStoreOptions,
  timeoutMs: number,
): Promise<Payload> {
  const { method, target, headers, body } = event;
  if (target !== encryptedTarget) {
    if (allowUnencrypted) return { method, target, headers, body };
    throw new InboxError('decryption-failed', `The payload of event ${event.id} is not encrypted`);
  }
  try {
    const plaintext = await limited(timeoutMs, () =>
      decipher(body, { receiptId: event.receiptId }),
    );
    return { method, ...unpack(plaintext) };
  } catch (error) {
    throw new InboxError(
      'decryption-failed',
      `The payload of event ${event.id} cannot be decrypted`,
      { cause: error },
    );
  }
}

async function limited(
  timeoutMs: number,
  run: () => Uint8Array | Promise<Uint8Array>,
): Promise<Uint8Array> {
  const bytes = await runWithin(timeoutMs, new AbortController().signal, run);
  if (!(bytes instanceof Uint8Array)) throw new TypeError('The result must be a Uint8Array');
  return bytes;
}

/** What is encrypted with a body. */
type Head = Pick<Receipt, 'target' | 'headers'>;

/** Returns the length of the JSON text in four bytes, the JSON text, and the body. */
function pack({ target, headers }: Head, body: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(JSON.stringify({ target, headers }));
  const packed = new Uint8Array(4 + head.length + body.length);
  new DataView(packed.buffer).setUint32(0, head.length);
  packed.set(head, 4);
  packed.set(body, 4 + head.length);
  return packed;
}

function unpack(packed: Uint8Array): Head & Pick<Receipt, 'body'> {
  const length = new DataView(packed.buffer, packed.byteOffset, packed.byteLength).getUint32(0);
  const { target, headers }: Head = JSON.parse(
    new TextDecoder().decode(packed.subarray(4, 4 + length)),
  );
  return { target, headers, body: new Uint8Array(packed.subarray(4 + length)) };
}

/** Why an event is exported without its payload although payloads are exported. */
export type WithheldReason =
  /** The payload is encrypted, and the store has no key or another one. */
  | 'encrypted'
  /** The stored payload is damaged. */
  | 'unreadable'
  /** The event was deleted meanwhile. */
  | 'deleted';

/** An event of an export. */
export interface ExportedEvent {
  readonly event: InboxEvent | InboxEventWithPayload;
  readonly withheld: WithheldReason | undefined;
}

/** The options of `exportEvents`. */
export interface ExportOptions {
  /** Includes payloads, and is the name under which each of these reveals is recorded. Default: no payloads. */
  readonly revealBy?: string;
}

/** The number of events in memory. Those with payloads can have several megabytes each. */
const eventsInPart = 500;
const payloadsInPart = 16;

/** Why no payload was read, by the code of the error. */
const withheldReasons: Readonly<Partial<Record<InboxErrorCode, WithheldReason>>> = {
  'decryption-failed': 'encrypted',
  'unreadable-event': 'unreadable',
};

/**
 * Reads the events of a filter, newest first, in parts that are read when the caller needs them, so that any number of
 * events takes a limited amount of memory. Events that are stored meanwhile are not among them.
 * @throws InboxError `store-failed`
 */
export async function* exportEvents(
  store: InboxOperations,
  filter: EventFilter = {},
  { revealBy }: ExportOptions = {},
): AsyncGenerator<readonly ExportedEvent[], void, undefined> {
  const pageSize = revealBy === undefined ? eventsInPart : payloadsInPart;
  let after: string | undefined;
  do {
    const page = await store.list(filter, {
      pageSize,
      first: 'newest',
      ...(after === undefined ? {} : { after }),
    });
    if (page.events.length > 0)
      yield revealBy === undefined
        ? page.events.map((event) => ({ event, withheld: undefined }))
        : await Promise.all(page.events.map((event) => reveal(store, event, revealBy)));
    after = page.next;
  } while (after !== undefined);
}

async function reveal(
  store: InboxOperations,
  event: InboxEvent,
  by: string,
): Promise<ExportedEvent> {
  try {
    const revealed = await store.reveal(event.id, by);
    if (revealed === undefined) return { event, withheld: 'deleted' };
    // This store has no key.
    if (revealed.target === encryptedTarget) return { event, withheld: 'encrypted' };
    // `reveal` does not look for what an event waits for.
    return { event: { ...revealed, waitsFor: event.waitsFor }, withheld: undefined };
  } catch (error) {
    const withheld = isInboxError(error) ? withheldReasons[error.code] : undefined;
    if (withheld === undefined) throw error;
    return { event, withheld };
  }
}
