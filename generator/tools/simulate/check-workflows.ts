import type { Contract } from '../../contract/contract.ts';
import { type Diagnostic, sortDiagnostics } from '../../diagnostics/diagnostic.ts';
import { fromSource } from '../../execution/from-source.ts';
import { toPointer } from '../../json/pointer.ts';
import { diagnose } from '../../documents/diagnose.ts';
import type { Documents } from '../../documents/documents.ts';

/**
 * Returns a diagnostic for each part of a workflow that the simulator does not run. Only commands that simulate a
 * contract call it: what is generated from the contract does not depend on it.
 */
export async function checkWorkflows(
  documents: Documents,
  contract: Contract,
): Promise<readonly Diagnostic[]> {
  const { findUnsupported } = await fromSource(() => import('@countersign/simulator'));
  return sortDiagnostics(
    contract.workflows.flatMap((workflow) => {
      const pointers = new Map(workflow.steps.map(({ id, pointer }) => [id, pointer] as const));
      return findUnsupported(workflow, contract.notifications).map(
        ({ step, path, message, help }) => {
          const place = (step === undefined ? undefined : pointers.get(step)) ?? workflow.pointer;
          const pointer = toPointer(place, ...path);
          return diagnose(documents, 'unsupported-workflow', { pointer, message, help });
        },
      );
    }),
  );
}
