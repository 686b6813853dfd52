import { code } from '../../code.ts';
import { identifier } from '../../escape.ts';
import { describeCertificates } from '../certificate-code.ts';
import { document } from './document.ts';
import type { ProofPrinter } from './printer.ts';

/** Prints client certificates. Where one comes from depends on the deployment, so no example has one. */
export const certificatePrinter: ProofPrinter = {
  module(contract) {
    const certificates = describeCertificates(contract).map((certificate) =>
      document(
        contract,
        certificate,
        'Authenticates deliveries by the client certificate that the contract states. `from` is where the certificate comes from; whose certificate it has to be is what the operator of the service states.',
      ),
    );
    return {
      file: 'authentication.ts',
      data: { certificates },
      isUsed: certificates.length > 0,
      exports: certificates.map(
        ({ verify }) => code`export { ${identifier(verify)} } from './authentication.ts';`,
      ),
      signers: [],
    };
  },
  strategies: (contract) =>
    describeCertificates(contract).map(({ verify, security, isAlone }) => ({
      verify: `${verify}({ from, subject })`,
      about:
        `requests with the client certificate \`${security.id}\`, which the contract states` +
        (isAlone ? '' : '; the contract requires other schemes beside it'),
    })),
  example: () => undefined,
};
