import type { ClientErrorCode } from './client-error.ts';

/** What every event of a call has. */
interface CallEvent {
  /** The operationId, or method and path as given for a call that the contract does not declare. */
  readonly operation: string;
  readonly method: string;
  /** The path template: values of parameters can be confidential. */
  readonly path: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly requestId: string | undefined;
}

/** What an event has besides the members of its call. */
export type Happening<Event extends ClientEvent = ClientEvent> = Event extends CallEvent
  ? Omit<Event, keyof CallEvent>
  : never;

/** Something that happened in a client. Nothing in it is secret. */
export type ClientEvent =
  | (CallEvent & { readonly type: 'request' })
  | (CallEvent & {
      readonly type: 'response';
      readonly status: number;
      /** Milliseconds since the request. */
      readonly duration: number;
    })
  | (CallEvent & {
      readonly type: 'retry';
      readonly reason: 'status' | 'network' | 'timeout' | 'unauthorised';
      /** Milliseconds until the next attempt. */
      readonly delay: number;
    })
  /** An answer, or an item of a stream, violates its schema, and was answered with because the option says `report`. */
  | (CallEvent & {
      readonly type: 'invalid-response';
      readonly status: number;
      readonly cause: unknown;
    })
  | (CallEvent & { readonly type: 'failure'; readonly code: ClientErrorCode })
  /** The store failed or did not answer in time; the call went on without it. */
  | {
      readonly type: 'token-store-failure';
      readonly action: 'get' | 'set';
      readonly cause: Error | undefined;
    }
  /** An entry of the store was not used; a new token was requested, and put in its place. */
  | {
      readonly type: 'token-store-entry-ignored';
      /** `invalid`: no token, or no time at which it expires. */
      readonly reason: 'invalid' | 'expired';
    };
