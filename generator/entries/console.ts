// Imported first, so that an older Node fails with one clear error instead of the errors of other imports.
import '#require-node';

/** The console of an inbox, for an application that alone can open the store, such as an encrypted one. */
export * from '@countersign/console';
