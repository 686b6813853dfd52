import type { Diagnostic, Documents } from 'countersign';
import { diagnose, sortDiagnostics } from 'countersign/companion/project';
import { toPointer } from 'countersign/companion/values';
import type { Contract } from 'countersign/kit';
import { findUnsupported } from '../workflows/unsupported.ts';

/**
 * Returns a diagnostic for each part of a workflow that the simulator does not run. Only commands that simulate a
 * contract call it: what is generated from the contract does not depend on it.
 */
export function checkWorkflows(documents: Documents, contract: Contract): readonly Diagnostic[] {
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
