import { elementsOf, isObject, isSameJson, memberOf } from '../sending/json-object.ts';
import type { Json } from 'countersign/kit';
import { SimulatorError } from '../sending/simulator-error.ts';

/**
 * Returns the inputs of a run: those given, and for the others the default, or the credential of the same name.
 * @param schema the JSON Schema of the inputs; `properties`, `required`, `type`, `enum`, `const` and `default` are read
 * @throws SimulatorError `invalid-option`
 */
export function readInputs(
  workflow: string,
  schema: Json | undefined,
  inputValues: Readonly<Record<string, Json>>,
  credentials: Readonly<Record<string, string>>,
): Readonly<Record<string, Json>> {
  const refuse = (problem: string): never => {
    throw new SimulatorError('invalid-option', `The workflow "${workflow}" ${problem}.`);
  };
  const properties = memberOf(schema, 'properties');
  const declared = isObject(properties) ? Object.entries(properties) : [];
  const names = declared.map(([name]) => name);
  const isOpen = !isObject(properties) || memberOf(schema, 'additionalProperties') !== undefined;
  for (const name of Object.keys(inputValues))
    if (!isOpen && !names.includes(name))
      refuse(`has no input "${name}". Its inputs are ${names.join(', ')}`);
  const inputs: Record<string, Json> = { ...inputValues };
  for (const [name, property] of declared) {
    const value =
      memberOf(inputValues, name) ?? memberOf(property, 'default') ?? memberOf(credentials, name);
    if (value === undefined) continue;
    if (!hasType(value, memberOf(property, 'type')))
      refuse(
        `needs the input "${name}" with the type ${typesOf(memberOf(property, 'type')).join(' or ')}`,
      );
    const allowed = memberOf(property, 'enum') ?? optionalList(memberOf(property, 'const'));
    if (
      allowed !== undefined &&
      !elementsOf(allowed).some((allowedValue) => isSameJson(allowedValue, value))
    )
      refuse(`does not allow that value of the input "${name}"`);
    inputs[name] = value;
  }
  for (const name of elementsOf(memberOf(schema, 'required')))
    if (typeof name === 'string' && !Object.hasOwn(inputs, name))
      refuse(`needs the input "${name}"`);
  return inputs;
}

function optionalList(value: Json | undefined): readonly Json[] | undefined {
  return value === undefined ? undefined : [value];
}

function typesOf(type: Json | undefined): readonly string[] {
  const types = typeof type === 'string' ? [type] : elementsOf(type);
  return types.filter((name) => typeof name === 'string');
}

function hasType(value: Json, type: Json | undefined): boolean {
  const types = typesOf(type);
  if (types.length === 0) return true;
  const valueTypes =
    value === null
      ? ['null']
      : Array.isArray(value)
        ? ['array']
        : typeof value === 'number' && Number.isInteger(value)
          ? ['integer', 'number']
          : [typeof value];
  return valueTypes.some((name) => types.includes(name));
}
