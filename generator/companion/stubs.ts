/** For companions of the same version: the stubs of handlers. It loads ts-morph. */
export {
  deliveryContext,
  functionFile,
  type HandlerContext,
  providerFile,
  unhandledFunctionsFile,
  unhandledProviderFile,
} from '../targets/stubs/handler-structures.ts';
export { type HandlerPlan, planHandlers } from '../targets/stubs/plan-handlers.ts';
export { printFile } from '../targets/stubs/print-statements.ts';
