import { toPointer } from '../json/pointer.ts';
import type { Contract, Signature } from '../contract/contract.ts';
import {
  importSigning,
  importTestVectors,
  isKeyPair,
  isKeyPairAlgorithm,
  namesKeys,
  settleSignature,
} from '../contract/signature-scheme.ts';
import { unstatedId } from '../contract/unstated-id.ts';
import type { ContractRule, Finding } from './rule.ts';
import { separatorFault } from './separated-header.ts';
import { quote } from '../diagnostics/quote.ts';

/**
 * Checks that each signature can be created and verified: its members are consistent, and no two requests share a
 * signature.
 */
export const signatures: ContractRule = {
  codes: ['unusable-signature'],
  async check({ contract }) {
    const signed = contract.security.filter(({ signature }) => signature !== undefined);
    if (signed.length === 0) return [];
    const { createTestVectors } = await importTestVectors();
    const { writeTimestamp } = await importSigning();
    const findings: Finding[] = [];
    for (const security of signed) {
      if (security.signature === undefined) continue;
      if (security.bodySignature !== undefined) {
        const pointer = toPointer(security.pointer, 'x-body-signature');
        const message = `The scheme ${quote(security.id)} has a signature in a header and one in the body.`;
        const help =
          'Give each a security scheme of its own, and require both in one entry of `security`.';
        findings.push({ pointer, message, help });
        continue;
      }
      const fault = findFault(contract, security.signature);
      if (fault !== undefined) {
        const { member, reason } = fault;
        const message = `The signature ${quote(security.id)} cannot be used: ${reason}`;
        findings.push({ pointer: toPointer(security.pointer, 'x-signature', ...member), message });
        continue;
      }
      try {
        const { scheme } = settleSignature(contract, security.signature);
        await createTestVectors(scheme);
        const separated = separatorFault(scheme, writeTimestamp);
        if (separated !== undefined)
          findings.push({
            pointer: toPointer(security.pointer, 'x-signature', 'separator'),
            message: `The signature ${quote(security.id)} cannot be used: ${separated}`,
            help: 'Give `separator` the text that the service writes between the items, or remove it if the header has only the signature.',
          });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const message = `The signature ${quote(security.id)} cannot be used: ${reason}`;
        const pointer = toPointer(security.pointer, ...membersAtFault(error));
        findings.push({ pointer, message });
      }
    }
    return findings;
  },
};

/** What is wrong with the members of a signature, beyond what the runtime checks of a scheme. */
interface Fault {
  readonly member: readonly string[];
  readonly reason: string;
}

function findFault(contract: Contract, signature: Signature): Fault | undefined {
  const { algorithm, key, value } = signature;
  const id = unstatedId(algorithm);
  const choices = contract.unstated.find((entry) => entry.id === id)?.choices ?? [];
  for (const name of ['prefix', 'privatePrefix'] as const)
    if (key[name]?.isWellFormed() === false)
      return {
        member: ['key', name],
        reason: `\`key.${name}\` contains an unpaired surrogate, which no key can contain.`,
      };
  const pairs = choices.filter((choice) => isKeyPairAlgorithm(choice.value));
  if (pairs.length > 0 && pairs.length < choices.length)
    return {
      member: ['algorithm'],
      reason:
        'Some choices of its algorithm are for a secret, and others for a key pair, whose keys are different credentials. Declare which of both it is.',
    };
  if (!isKeyPair(contract, signature)) {
    const members = [
      ['format', signature.format],
      ['saltLength', signature.saltLength],
      ...(['privatePrefix', 'idHeader', 'jwks'] as const).map((name) => [`key.${name}`, key[name]]),
      ['value', value.includes('{keyId}') ? value : undefined],
    ] as const;
    const [member] = members.find(([, memberValue]) => memberValue !== undefined) ?? [];
    return member === undefined
      ? undefined
      : {
          member: member.split('.'),
          reason: `Its ${member === 'value' ? 'placeholder {keyId}' : `member \`${member}\``} is for key pairs, and its algorithm has a secret that both sides have.`,
        };
  }
  if (key.jwks !== undefined && !namesKeys(signature))
    return {
      member: ['key', 'jwks'],
      reason:
        'Receivers choose a key of `key.jwks` by its id. Declare where a delivery has it: `key.idHeader`, or {keyId} in `value`.',
    };
  return undefined;
}

/** Returns the path of the member at fault. The name of the header is a member of the security scheme itself. */
function membersAtFault(error: unknown): readonly string[] {
  const member =
    error instanceof Error && 'member' in error && typeof error.member === 'string'
      ? error.member
      : undefined;
  if (member === 'header') return ['name'];
  return ['x-signature', ...(member?.split('.') ?? [])];
}
