import type { Ledger } from './ledger.ts';
import type { SchemaRegistry } from './schema-registry.ts';
import type { NamingContext } from './take-names.ts';

/** What lowering a part of a contract needs: the documents, and where schemas, questions and diagnostics are kept. */
export interface LoweringContext extends NamingContext {
  readonly schemas: SchemaRegistry;
  readonly ledger: Ledger;
}
