/** The progress of a run. */
export interface Progress {
  readonly stage: 'load' | 'lower' | 'emit' | 'format' | 'compare' | 'write';
  /** The target, in the stage `emit`. */
  readonly target?: string;
  /** The number of files that are done, of this target or of all. */
  readonly done?: number;
  /** The total number of files, if it is known. */
  readonly of?: number;
}

/** Receives the progress of a run: at the start of each stage, and after each file in it. */
export type ReportProgress = (progress: Progress) => void;
