/** `error` stops generation; `warning` and `info` are reported, and generation continues. */
export type Severity = 'error' | 'warning' | 'info';
