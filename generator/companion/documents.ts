/** For companions of the same version: the text of documents, as it is read. */
export { defaultBudgets } from '../load/budgets.ts';
export { parseText } from '../load/text/parse.ts';
export { isSchemaName } from '../specification/schema-grammar.ts';
