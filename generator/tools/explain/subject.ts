import type { Pointer } from '../../json/pointer.ts';

/** A part of the contract that generated names refer to. */
export interface Subject {
  readonly kind:
    | 'contract'
    | 'schema'
    | 'member'
    | 'value'
    | 'call'
    | 'parameter'
    | 'notification'
    | 'message'
    | 'security'
    | 'question';
  /**
   * The display name, such as `Parcel.state` for a member. In most contracts it is unique among subjects of the same
   * kind.
   */
  readonly name: string;
  /** The name in generated code. */
  readonly identifier: string;
  /** Other names of the subject in the contract, such as `POST /parcels`. */
  readonly aliases: readonly string[];
  readonly pointer: Pointer;
  /** The cited sections of the source document; the owner's sections if the subject cites none. */
  readonly source: readonly string[];
  /** The subject that this one is a part of. */
  readonly owner?: Subject;
  /** Other places that define the subject, such as the parameters and schemas of an operation. */
  readonly statedBy: readonly Pointer[];
}
