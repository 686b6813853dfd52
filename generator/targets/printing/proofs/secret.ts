import { code, joinCode } from '../../code.ts';
import { identifier } from '../../escape.ts';
import { describeSecrets, secretWarning } from '../secret-code.ts';
import { secretStrategyCode } from '../strategy-code.ts';
import { document } from './document.ts';
import type { ProofPrinter } from './printer.ts';

/** Prints secrets that requests carry. */
export const secretPrinter: ProofPrinter = {
  module(contract) {
    const secrets = describeSecrets(contract).map((secret) =>
      document(
        contract,
        secret,
        `Authenticates deliveries by the ${secret.what}, which the contract states. Give several during a rotation.` +
          (secret.isAlone ? '' : ' The contract requires other schemes beside it.'),
        secretWarning(secret),
      ),
    );
    const factories = new Set(secrets.map(({ factory }) => factory));
    const credentials = [...factories].filter((name) => name !== 'sharedSecret').toSorted();
    return {
      file: 'authentication.ts',
      data: {
        secrets,
        sharesSecrets: factories.has('sharedSecret'),
        credentials:
          credentials.length === 0
            ? undefined
            : joinCode(
                credentials.map((name) => identifier(name)),
                ', ',
              ),
      },
      isUsed: secrets.length > 0,
      exports: secrets.map(
        ({ verify }) => code`export { ${identifier(verify)} } from './authentication.ts';`,
      ),
      signers: [],
    };
  },
  strategies: (contract) =>
    describeSecrets(contract).map((secret) => {
      const { verify, parameter, what, isAlone } = secret;
      const warning = secretWarning(secret);
      return {
        verify: `${verify}(${parameter})`,
        about:
          `requests with a ${what}, which the contract states; the comparison takes constant time for any length` +
          (isAlone ? '' : '; the contract requires other schemes beside it') +
          (warning === undefined ? '' : `. ${warning}`),
      };
    }),
  example(contract) {
    const [first, ...rest] = describeSecrets(contract);
    if (first === undefined) return undefined;
    const secrets = [first, ...rest];
    const secret = secrets.find(({ isAlone }) => isAlone) ?? first;
    return { ...secretStrategyCode(secret, 'secret'), isPreferred: false };
  },
};
