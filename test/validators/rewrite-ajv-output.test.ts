import { describe, expect, test } from 'vitest';
import { rewriteAjvOutput, type FreeName } from '../../generator/validators/rewrite-ajv-output.ts';

const names: readonly FreeName[] = [
  { name: 'validate0', kind: 'own' },
  { name: 'wrapper0', kind: 'reference', schemaName: 'Other' },
  { name: 'func0', kind: 'hasOwn' },
  { name: 'func1', kind: 'runtime', member: 'equal' },
  { name: 'formats0', kind: 'format', format: 'date-time' },
  { name: 'pattern0', kind: 'pattern', text: '/x/' },
  { name: 'schema0', kind: 'schema', schema: { 'a-b': { oneOf: [{ enum: [1] }, true] } } },
];
const rewrite = (text: string): string =>
  rewriteAjvOutput({ text, names }, 'validateOwn', (name) => `validate${name}`)
    .parts.map((part) => (typeof part === 'string' ? part : `${part.prefix}<${part.text}>`))
    .join('');

const failure = (name: string, rest = ''): string =>
  `const ${name} = {instancePath,schemaPath:"#/a\\"b",keyword:"type",params:{}${rest}};
if(vErrors === null){
vErrors = [${name}];
}
else {
vErrors.push(${name});
}
errors++;`;

describe('a compiled function', () => {
  test.each([
    [
      'its own name and those of others',
      'validate0.x(wrapper0.y)',
      'validateOwn.x(validateOther.y)',
    ],
    ['a function of the runtime', 'if(func1(data0, 1)){}', 'if(equal(data0, 1)){}'],
    [
      'a format and a pattern',
      'formats0.test(pattern0)',
      'dateTime.test(pattern</* @__PURE__ */ /x/>)',
    ],
    ['what is read from the schema', 'f(schema0["a-b"].oneOf[0].enum)', 'f(values<[1]>)'],
    ['only as much of it as there is', 'schema0["a-b"].oneOf[0].enum[vAt]', 'values<[1]>[vAt]'],
    [
      'a failure',
      failure('err0'),
      'vErrors = add(vErrors, {instancePath,keyword:"type",params:{}});\nerrors++;',
    ],
    [
      'failures of another function',
      'vErrors = vErrors === null ? wrapper0.errors : vErrors.concat(wrapper0.errors);',
      'vErrors = vErrors === null ? validateOther.errors : append(vErrors, validateOther.errors);',
    ],
    [
      'the surroundings of a value',
      'wrapper0(data0, {instancePath:instancePath+"/x",parentData:data,parentDataProperty:"a,}b",rootData})',
      'validateOther(data0, {instancePath:instancePath+"/x",})',
    ],
    [
      'an own check that plain data does without',
      'if(data.a !== undefined && func0.call(data, "a")){',
      'if(data.a !== undefined){',
    ],
    [
      'its opposite',
      'if((data.a === undefined) || (!(func0.call(data, "a")))){',
      'if((data.a === undefined)){',
    ],
    [
      'an own check that plain data needs',
      'if((data.x === undefined) || (!(func0.call(data, "constructor")))){',
      'if((data.x === undefined) || (!(Object.hasOwn(data, "constructor")))){',
    ],
    [
      'an own check of any name',
      '!(func0.call(data, missing0))',
      '!(Object.hasOwn(data, missing0))',
    ],
  ])('has replaced: %s', (_, text, expected) => {
    expect(rewrite(text)).toBe(expected);
  });

  test.each([
    ['a text that looks like code', 'f("schema0 const err0 = {} \\" parentData require(func0)")'],
    ['a member that is called like a name', 'data.schema0 + data.require + data.func0.call'],
    ['a name that only begins alike', 'schema01 + $schema0 + schema0$'],
  ])('keeps %s', (_, text) => {
    expect(rewrite(text)).toBe(text);
  });

  test.each([
    ['something to load', 'require("x")'],
    ['surroundings out of order', 'f({rootData,parentData})'],
    ['surroundings that are used', 'x = parentData[0]'],
    ['a failure that is not added', 'const err0 = {};\nif(vErrors === undefined){\n}'],
    ['a failure that another is added for', failure('err0').replace('push(err0)', 'push(err1)')],
    ['a failure that nothing follows', 'const err0 = {};'],
    ['a place in the schema that is not a text', 'x = {schemaPath:y}'],
  ])('is refused with %s', (_, text) => {
    expect(() => rewrite(text)).toThrow(TypeError);
  });
});
