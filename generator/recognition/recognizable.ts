import type { Pointer } from '../json/pointer.ts';
import type { Conditions, JsonSchema } from '../schema/model.ts';

/** What decides whether a delivery is a notification. */
export interface Recognizable {
  /** The name of its kind; unique. */
  readonly name: string;
  readonly pointer: Pointer;
  /** Upper case; left out where the contract states none. */
  readonly method?: string;
  readonly label?: { readonly method?: string; readonly path: string };
  readonly headers: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly contentType: string;
  readonly encoding?: 'form' | 'query';
  /** The ways in which a receiver reads its data; that of `contentType` and `encoding` alone if left out. */
  readonly readings?: readonly {
    readonly mediaType: string;
    readonly encoding?: 'form' | 'query';
  }[];
  /** The name of the schema of the data. */
  readonly payload: string;
  /** Alternatives, each a list of conditions. Every delivery meets an empty list. */
  readonly identifiedBy: readonly Conditions[];
  readonly resembledBy?: readonly Conditions[];
  readonly identifiedByOrigin: 'declared' | 'derived';
  readonly identifiedBySchema?: true;
}
