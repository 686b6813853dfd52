import type { Contract, Operation, Parameter } from './contract.ts';
import { NameRegistry, toFileName, toTypeName } from './names.ts';
import { memoize } from '../execution/memoize.ts';

/** The folder of the package below the output folder. */
export const packageFolder = 'client';

/** The name under which the modules of operations import the contract's package. */
export const namespace = 'contract';

/** An operation and its names in the generated code. */
export interface PlannedOperation {
  readonly operation: Operation;
  /** The name of its function and of the client's method. */
  readonly name: string;
  /** The name of the constant that describes it. */
  readonly constant: string;
  readonly inputType: string;
  readonly responseType: string;
  /** The type of the errors of its declared failures, and the function that returns whether an error is one. */
  readonly failureType: string;
  readonly guard: string;
  /** The base name of its modules, without extension. */
  readonly fileName: string;
}

/** An operation that gets no function, and the reason. */
interface LeftOut {
  readonly operation: Operation;
  readonly reason: string;
}

/** Every operation of a contract, with its names or with the reason why it gets no function. */
export interface OperationPlan {
  readonly planned: readonly PlannedOperation[];
  readonly leftOut: readonly LeftOut[];
}

/** Decides which operations become functions, and names their functions, constants, types and files. */
export const planOperations: (contract: Contract) => OperationPlan = memoize(makePlan);

function makePlan(contract: Contract): OperationPlan {
  const names = new NameRegistry<string>();
  const files = new NameRegistry<string>((name) => name.toLowerCase());
  const leftOut: LeftOut[] = [];
  const planned: PlannedOperation[] = [];
  for (const operation of contract.operations) {
    const reason = reasonToLeaveOut(operation);
    if (reason !== undefined) {
      leftOut.push({ operation, reason });
      continue;
    }
    // As for reserved words: append an underscore instead of choosing another name.
    const wanted = ownNames.has(operation.name) ? `${operation.name}_` : operation.name;
    const name = names.claimFree(wanted, operation.id);
    const typeName = toTypeName(name);
    planned.push({
      operation,
      name,
      constant: names.claimFree(`${name}Operation`, operation.id),
      inputType: names.claimFree(`${typeName}Input`, operation.id),
      responseType: names.claimFree(`${typeName}Response`, operation.id),
      failureType: names.claimFree(`${typeName}Failure`, operation.id),
      guard: names.claimFree(`is${typeName}Failure`, operation.id),
      fileName: files.claimFree(toFileName(typeName), operation.id, '-'),
    });
  }
  return { planned, leftOut };
}

/** Names that the package or its modules already use. */
const ownNames: ReadonlySet<string> = new Set(
  (
    'accessToken apiKey basic bearer binary bind booleanHeader call choose clientCredentials connect contract cookie cookieValue ' +
    'createClient createCompactSigner createConnection createKeyPairSigner createSigner deepObject deepObjectBrackets ' +
    'deepObjectRepeat form formBody fromBinary fromBytes fromContent fromEvents fromJson fromLines fromText fromTextContent given isFailureOf json ' +
    'jsonHeader jsonItems jsonPair jsonValue label listHeader matrix multipart numberHeader operations outside part ' +
    'percent pipeDelimited readHeaders request reserved reservedPath signature simple spaceDelimited ' +
    'styledForm text textHeader toConnection typedMultipart unchecked'
  ).split(' '),
);

const styles: Readonly<Record<Parameter['in'], readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};

function reasonToLeaveOut({ method, parameters }: Operation): string | undefined {
  if (method === 'CONNECT') return 'CONNECT opens a tunnel and is not a call';
  for (const { name, in: place, style, mediaType } of parameters) {
    if (mediaType === undefined && !styles[place].includes(style)) {
      return `OpenAPI has no style ${style} for the ${place} parameter ${name}`;
    }
  }
  return undefined;
}
