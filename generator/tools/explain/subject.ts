import type { Pointer } from '../../json/pointer.ts';

/** A thing of the contract that generated names are made of. */
export interface Subject {
  readonly kind:
    | 'contract'
    | 'schema'
    | 'member'
    | 'value'
    | 'call'
    | 'parameter'
    | 'notification'
    | 'security'
    | 'question';
  /** How people call it, such as `Parcel.state` for a member; unique among those of its kind in most contracts. */
  readonly name: string;
  /** What it is called in code. */
  readonly identifier: string;
  /** Other names that the contract has for it, such as `POST /parcels`. */
  readonly aliases: readonly string[];
  readonly pointer: Pointer;
  /** Sections of the source document; those of its owner where it cites none itself. */
  readonly source: readonly string[];
  /** What it is a part of. */
  readonly owner?: Subject;
  /** Places that it is stated by, besides its own. */
  readonly statedBy: readonly Pointer[];
}
