/** The progress of a run. */
export interface Progress {
  readonly stage: 'load' | 'lower' | 'emit' | 'compare' | 'write';
  /** The number of files that are generated and formatted, in the stage `emit`. */
  readonly done?: number;
}

/** Receives the progress of a run: at the start of each stage, and after each generated file. */
export type ReportProgress = (progress: Progress) => void;
