// Imported first, so that an older Node fails with one clear error instead of the errors of other imports.
import '#require-node';

/** The service that a contract describes, for tests: what the generated package `simulator` starts. */
export * from '@countersign/simulator';
