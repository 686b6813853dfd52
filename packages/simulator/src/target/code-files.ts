import type { OutputFile, Schema } from 'countersign';
import { indexSchemas, wireSchema } from 'countersign/companion/contract';
import { type BuiltInContext, validatorPath } from 'countersign/companion/target';
import { planValidators } from 'countersign/companion/validators';
import {
  code,
  Code,
  type Contract,
  findSchema,
  identifier,
  joinCode,
  type Json,
  literal,
  literalUnion,
  memberName,
  packageName,
} from 'countersign/kit';
import { makeSamples } from './make-samples.ts';
import { servedContract, servedQuestions } from './served-contract.ts';
import type { ParameterSchemas } from './parameter-schemas.ts';

/** The folder of the package below the output folder. */
export const packageFolder = 'simulator';

/** Emits the description of the service, its checks, and the function that starts it. */
export async function* emitCode(
  contract: Contract,
  parameters: ParameterSchemas,
  context: BuiltInContext,
): AsyncGenerator<OutputFile> {
  const served = servedContract(contract);
  const questions = servedQuestions(contract);
  const samples = await makeSamples(contract, context.compiler);
  const { units } = planValidators(parameters);
  const modules = new Map<string, string[]>();
  const ofParameters = Array.from(parameters.byOperation, ([operation, { name }]) => {
    const unit = units.get(name);
    if (unit === undefined) throw new TypeError(`The schema "${name}" has no validator.`);
    const from = `../${validatorPath(unit.module)}.js`;
    const names = modules.get(from) ?? [];
    names.push(unit.functionName);
    modules.set(from, names);
    return parameterCheck(operation, unit.functionName);
  });
  const index = indexSchemas(contract);
  const inContract = Array.from(checksOf(served), (name) => findSchema(index, name));
  const contractPackage = packageName(context, 'contract');
  const toFile = (name: string, data: object): OutputFile => ({
    path: `${packageFolder}/src/${name}`,
    text: context.render(name, data),
    from: [contract.info.pointer],
  });
  // `ServiceData` is JSON, but TypeScript assigns no interface to a type with an index signature.
  yield toFile('data.ts', { data: literal({ ...served, samples } as unknown as Json) });
  yield toFile('service.ts', {
    contractPackage,
    hasChecks: inContract.length > 0,
    questionsModule: `${contractPackage}/open-questions`,
    validationModule: `${contractPackage}/validation`,
    questions: questions.map(({ id, optionName }) => ({ id, optionName })),
    parameterModules: Array.from(modules, ([from, names]) => ({
      names: joinCode(names.map(identifier), ', '),
      from,
    })),
    parameterChecks: joinCode(ofParameters, ',\n'),
    checks: joinCode(inContract.map(contractCheck), ',\n'),
  });
  const kinds = contract.notifications.map((notification) => {
    const payload = code`contract.${identifier(wireSchema(contract, notification).typeName)}`;
    const { examples } = notification;
    const names =
      examples.length === 0 ? new Code('never') : literalUnion(examples.map(({ name }) => name));
    return code`readonly ${memberName(notification.name)}: { readonly payload: ${payload}; readonly example: ${names} };`;
  });
  yield toFile('index.ts', {
    contractPackage,
    hasKinds: kinds.length > 0,
    kinds: joinCode(kinds, '\n'),
    operations: literalUnion(served.operations.map(({ name }) => name)),
    hasOperations: served.operations.length > 0,
  });
}

function contractCheck({ name, typeName }: Schema): Code {
  const type = identifier(typeName).text;
  return code`check(${literal(name)}, contract.${new Code(`is${type}`)}, contract.${new Code(`validate${type}`)})`;
}

function parameterCheck(operation: string, functionName: string): Code {
  return code`parameterCheck(${literal(operation)}, ${identifier(functionName)})`;
}

/** Returns the names of the schemas whose values the simulator checks. */
function checksOf({
  operations,
  notifications,
}: ReturnType<typeof servedContract>): ReadonlySet<string> {
  const media = operations.flatMap(({ requestBody, responses }) => [
    ...(requestBody?.content ?? []),
    ...responses.flatMap(({ content }) => content),
  ]);
  return new Set([
    ...media.flatMap(({ schema }) => schema ?? []),
    ...notifications.map(({ wire }) => wire),
  ]);
}
