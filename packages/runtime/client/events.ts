import type { ClientErrorCode } from './client-error.ts';

/** The members of every event of a call. */
interface CallEvent {
  /** The `operationId`, or method and path as given for a call that the contract does not declare. */
  readonly operation: string;
  readonly method: string;
  /** The path template, because parameter values can be confidential. */
  readonly path: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The request id of the attempt, where the contract defines one for every request. */
  readonly requestId: string | undefined;
}

/** The members of an event without those that its call adds. */
export type EventDetails<Event extends ClientEvent = ClientEvent> = Event extends CallEvent
  ? Omit<Event, keyof CallEvent>
  : never;

/** An event in a client, for logs and traces. It contains no secret. */
export type ClientEvent =
  | (CallEvent & { readonly type: 'request' })
  | (CallEvent & {
      readonly type: 'response';
      readonly status: number;
      /** Milliseconds from sending the request to its response; for a stream, to its headers. */
      readonly durationMs: number;
    })
  | (CallEvent & {
      readonly type: 'retry';
      readonly reason: 'status' | 'network' | 'timeout' | 'unauthorized';
      /** Milliseconds until the next attempt. */
      readonly delayMs: number;
    })
  /**
   * A response, or an item of a stream, violates its schema. The call continued, because `invalidResponse` is `report`:
   * it returned the response, or rejected with the failure that the response is.
   */
  | (CallEvent & {
      readonly type: 'invalid-response';
      readonly status: number;
      readonly cause: unknown;
    })
  /** The call rejected with a ClientError. */
  | (CallEvent & {
      readonly type: 'failure';
      readonly code: ClientErrorCode;
      /** The HTTP status of the last response; `undefined` if there was none. */
      readonly status: number | undefined;
    })
  /** The token store failed or did not answer in time. The call continued without it. */
  | {
      readonly type: 'token-store-failure';
      readonly action: 'get' | 'set';
      readonly cause: Error | undefined;
    }
  /**
   * A token was not shared in the token store, because the client cannot know whose it is: a function from the options
   * returns a credential, or the connection itself authenticates the call. Set `tokenStoreKey` to share it.
   */
  | { readonly type: 'token-store-skipped' }
  /** An entry of the token store was not used. A new token was requested and replaced it. */
  | {
      readonly type: 'token-store-entry-ignored';
      /** `invalid`: the entry has no valid token, or no expiry time. */
      readonly reason: 'invalid' | 'expired';
    };
