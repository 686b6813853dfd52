import type { Contract } from '../../contract/contract.ts';
import { type Diagnostic, sortDiagnostics } from '../../diagnostics/diagnostic.ts';
import { fromSource } from '../../execution/from-source.ts';
import { toPointer } from '../../json/pointer.ts';
import { diagnose } from '../../documents/diagnose.ts';
import type { Documents } from '../../documents/documents.ts';
import { describeWorkflows } from '../../targets/printing/describe-workflows.ts';

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
    describeWorkflows(contract).flatMap((data, index) => {
      const workflow = contract.workflows[index];
      if (workflow === undefined) return [];
      const pointers = new Map(
        data.steps.map(({ id }, at) => [id, workflow.steps[at]?.pointer] as const),
      );
      return findUnsupported(data, contract.notifications).map(({ step, path, message, help }) => {
        const place = (step === undefined ? undefined : pointers.get(step)) ?? workflow.pointer;
        const pointer = toPointer(place, ...path);
        return diagnose(documents, 'unsupported-workflow', { pointer, message, help });
      });
    }),
  );
}
