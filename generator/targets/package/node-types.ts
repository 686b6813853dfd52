/** The versions of `@types/node` with which generated code compiles. */
export const nodeTypes = '>=18';
