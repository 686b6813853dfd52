/** For companions of the same version: whether schemas accept values. */
export { openCaches } from '../cache/caches.ts';
export { type ExampleCheck, withExampleCheck } from '../rules/example-check.ts';
export { describeViolations } from '../rules/violations.ts';
export { memberSchemas } from '../schema/conjuncts.ts';
export { JudgeError } from '../validators/judge.ts';
export type { SchemaError } from '../validators/schema-error.ts';
export { UnitJudge } from '../validators/unit-judge.ts';
export { type ValidatorCache, ValidatorCompiler } from '../validators/validator-compiler.ts';
export { planValidators, type ValidatorUnit } from '../validators/validator-units.ts';
