import type { Contract, DocumentInfo } from '../../contract/contract.ts';

/** What a contract says about the service as a whole, for the beginning of a README or a page. */
export interface Overview {
  readonly paragraphs: readonly string[];
  /** Remarks of the contract's authors. */
  readonly notes: readonly string[];
}

/** The maximum length of all paragraphs. Some contracts have a whole manual as their description. */
const maxCharacters = 6000;

/** Returns the overview of a contract: what its documents state about themselves; `undefined` if they state nothing. */
export function describeOverview({ info }: Pick<Contract, 'info'>): Overview | undefined {
  const parts: readonly (DocumentInfo | undefined)[] = [info, info.notifications];
  const texts = parts.flatMap((part) => part?.description?.split(/\n\s*\n/u) ?? []);
  let length = 0;
  const paragraphs = texts
    .map((text) => text.trim())
    .filter((text) => text !== '' && (length += text.length) <= maxCharacters);
  const notes = parts.flatMap((part) => part?.notes ?? []);
  return paragraphs.length + notes.length === 0 ? undefined : { paragraphs, notes };
}
