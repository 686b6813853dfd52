/** Identifies a claim in the database. */
export interface ClaimReference {
  readonly id: string;
  readonly token: number;
}
