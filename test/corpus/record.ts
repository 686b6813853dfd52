/** What came of one document. */
export interface CorpusRecord {
  /** The document as the report calls it. */
  readonly document: string;
  /** The specification and its version, as the document says. */
  readonly specification: string;
  readonly bytes: number;
  /**
   * `generated`: every target was written. `refused`: diagnostics say why not. `crashed`: something was thrown that is no
   * diagnostic. `out-of-time` and `out-of-memory`: the budget of the run was used up.
   */
  readonly outcome: 'generated' | 'refused' | 'crashed' | 'out-of-time' | 'out-of-memory';
  /** What was thrown, where something was. */
  readonly crash?: string;
  readonly counts: Counts;
  /** How often each code was given, as `error[code]`. */
  readonly diagnostics: Readonly<Record<string, number>>;
  /** The first diagnostics of each code, in words. */
  readonly shown: readonly string[];
  readonly cost: Cost;
  readonly output: { readonly files: number; readonly bytes: number };
  /** Schemas of which the toolkit can make a value, and why it cannot for the others. */
  readonly samples?: {
    readonly made: number;
    readonly of: number;
    readonly failures: readonly string[];
  };
  /** By the way in which modules are resolved; left out where nothing was compiled. */
  readonly typeErrors?: Readonly<Record<string, TypeErrors>>;
  /** Left out where nothing could be imported. */
  readonly judged?: Judged;
}

export interface Counts {
  /** Below `paths`, as written. */
  readonly operations: number;
  /** Functions of the client. */
  readonly functions: number;
  /** Why there are fewer functions than operations. */
  readonly leftOut: readonly string[];
  /** Below `webhooks` or `x-webhooks`, or sent by an AsyncAPI document, as written. */
  readonly webhooks: number;
  /** Operations below `callbacks`, as written. */
  readonly callbacks: number;
  /** Handlers of the receivers. */
  readonly notifications: number;
  readonly schemas: number;
}

/** What a document cost the generator, from an empty folder. */
interface Cost {
  readonly wallMilliseconds: number;
  readonly cpuMilliseconds: number;
  readonly peakMegabytes: number;
  /** Milliseconds of each stage. */
  readonly stages: Readonly<Record<string, number>>;
}

export interface TypeErrors {
  readonly count: number;
  readonly first: readonly string[];
}

/** What running the generated code has shown. */
export interface Judged {
  /** Modules with validators that were imported. */
  readonly validators: number;
  /** Packages whose entry was imported. */
  readonly packages: number;
  /** What an import has thrown. */
  readonly failures: readonly string[];
  readonly examples: number;
  readonly accepted: number;
  /** The first examples that were refused, and why. */
  readonly refused: readonly string[];
  /** Left out where there is no receiver. */
  readonly reached?: Reached;
}

/** Which handlers of the generated receiver a delivery has reached. */
export interface Reached {
  readonly notifications: number;
  /** Notifications whose own handler was called. */
  readonly handlers: number;
  /** Notifications for which the handler of a union was called: nothing in the delivery tells which kind it is. */
  readonly unions: number;
  /** Notifications without an example, or made value, that their own validator accepts. */
  readonly unmade: readonly string[];
  /** The first notifications whose handler was not called for a valid payload, and what happened instead. */
  readonly missed: readonly string[];
}

/** Nothing was counted. */
export const noCounts: Counts = {
  operations: 0,
  functions: 0,
  leftOut: [],
  webhooks: 0,
  callbacks: 0,
  notifications: 0,
  schemas: 0,
};

/** Returns why the packages of a document cannot be used; an empty list where they are complete. */
export function faultsOf(record: CorpusRecord): readonly string[] {
  const { outcome, counts, typeErrors = {}, judged } = record;
  if (outcome !== 'generated') return [outcome];
  const errors = Object.values(typeErrors).some(({ count }) => count > 0);
  return [
    ...(errors ? ['type-errors'] : []),
    ...(judged === undefined || judged.failures.length > 0 ? ['import'] : []),
    ...(counts.functions < counts.operations ? ['operations-left-out'] : []),
    ...(counts.notifications < counts.webhooks + counts.callbacks ? ['webhooks-left-out'] : []),
    ...((judged?.reached?.missed ?? []).length > 0 ? ['handlers-missed'] : []),
  ];
}

/** Returns whether a document was refused because its specification is not supported. */
export function isOtherSpecification({ outcome, diagnostics }: CorpusRecord): boolean {
  return outcome === 'refused' && Object.hasOwn(diagnostics, 'error[unsupported-version]');
}
