import type { CallNames, Contract, Operation, Parameter } from './contract.ts';
import { distinctNames, toTypeName } from './names.ts';

/** The folder of the package below the output folder. */
export const packageFolder = 'client';

/** The name under which the modules of operations import the contract's package. */
export const namespace = 'contract';

/** An operation and its names in the generated code. */
export interface Call extends CallNames {
  readonly operation: Operation;
}

/** Returns the operations that get a function, with their names. */
export function callsOf({ operations }: Pick<Contract, 'operations'>): readonly Call[] {
  return operations.flatMap((operation) =>
    operation.names === undefined ? [] : [{ operation, ...operation.names }],
  );
}

/** Decides which operations become functions, and names their functions and types. */
export function nameCalls<Stated extends StatedCall>(
  operations: readonly Stated[],
): readonly (Stated & Pick<Operation, 'names' | 'leftOut'>)[] {
  // As for reserved words: append an underscore instead of choosing another name.
  const names = operations.map(({ name }) =>
    ownNames.has(name) || guardName.test(name) ? `${name}_` : name,
  );
  // Different names can have the same type: `404` and `status404`.
  const typeNames = distinctNames(
    operations.map(({ id, pointer }, index) => ({
      id,
      place: pointer,
      wanted: toTypeName(names[index] ?? id),
    })),
  );
  return operations.map((stated, index) => {
    const { names: _, leftOut: __, ...others } = stated;
    const operation = others as Stated;
    const leftOut = reasonToLeaveOut(operation);
    if (leftOut !== undefined) return { ...operation, leftOut };
    const name = names[index] ?? operation.name;
    const typeName = typeNames[index] ?? toTypeName(name);
    return {
      ...operation,
      name,
      names: {
        name,
        inputType: `${typeName}Input`,
        responseType: `${typeName}Response`,
        failureType: `${typeName}Failure`,
        guard: `is${typeName}Failure`,
      },
    };
  });
}

/** The names of guards, by which the types of a client tell them from calls. */
const guardName = /^is.*Failure$/u;

type StatedCall = Pick<
  Operation,
  'id' | 'pointer' | 'name' | 'method' | 'parameters' | 'names' | 'leftOut'
>;

/** Names that the package or its modules already use. */
const ownNames: ReadonlySet<string> = new Set(
  (
    'accessToken apiKey basic bearer binary bind bindPages booleanHeader call callOf calls choose clientCredentials connect contract cookie cookieValue ' +
    'createClient createCompactSigner createConnection createKeyPairSigner createSigner deepObject deepObjectBrackets ' +
    'deepObjectRepeat form formBody fromBinary fromBytes fromContent fromEvents fromJson fromLines fromText fromTextContent given isFailureOf json ' +
    'jsonHeader jsonItems jsonPair jsonValue label listHeader matrix multipart numberHeader operations outside part ' +
    'percent pipeDelimited readHeaders request reserved reservedPath signature simple spaceDelimited ' +
    'styledForm text textHeader toConnection typedMultipart unchecked violationsOf withChecks withPages'
  ).split(' '),
);

const styles: Readonly<Record<Parameter['in'], readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};

function reasonToLeaveOut({ method, parameters }: StatedCall): string | undefined {
  if (method === 'CONNECT') return 'CONNECT opens a tunnel and is not a call';
  for (const { name, in: place, style, mediaType } of parameters) {
    if (mediaType === undefined && !styles[place].includes(style)) {
      return `OpenAPI has no style ${style} for the ${place} parameter ${name}`;
    }
  }
  return undefined;
}
