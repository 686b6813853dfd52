import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  NameRegistry,
  toEnumMemberName,
  toFileName,
  toMemberName,
  toTypeName,
} from '../../generator/contract/names.ts';

describe('a type name', () => {
  it.each([
    ['PixStatus', 'PixStatus'],
    ['due-date charge', 'DueDateCharge'],
    ['issue_comment', 'IssueComment'],
    ['v1.Charge', 'V1Charge'],
    ['3ds-result', '_3dsResult'],
    ['Record', 'RecordSchema'],
    ['validation-error', 'ValidationErrorSchema'],
    ['../../etc/passwd', 'EtcPasswd'],
    ['a*/alert(1)/*', 'AAlert1'],
    ['cobrança', 'Cobrança'],
    ['😀', 'U1F600'],
    ['\u202Eabc', 'Abc'],
    ['', 'U'],
  ])('of %j is %s', (name, want) => {
    expect(toTypeName(name)).toBe(want);
  });
});

describe('a member name', () => {
  it.each([
    ['x-timestamp', 'xTimestamp'],
    ['URLPath', 'urlPath'],
    ['API', 'api'],
    ['issueToken', 'issueToken'],
    ['Pix', 'pix'],
    ['get /v1/charges/{txid}', 'getV1ChargesTxid'],
    ['delete', 'delete_'],
    ['__proto__', 'proto'],
    ['constructor', 'constructor_'],
    ['2fa', '_2fa'],
  ])('of %j is %s', (name, want) => {
    expect(toMemberName(name)).toBe(want);
  });
});

describe('a file name', () => {
  it.each([
    ['PixStatus', 'pix-status'],
    ['URLPath', 'url-path'],
    ['_3dsResult', 'n-3ds-result'],
    ['V1Charge', 'v1-charge'],
  ])('of %s is %s', (typeName, want) => {
    expect(toFileName(typeName)).toBe(want);
  });
});

describe('the name of an enumeration value', () => {
  it.each([
    ['DONE', 'DONE'],
    ['in_progress', 'InProgress'],
    ['', 'Empty'],
    [7, 'Value7'],
    [-1, 'ValueMinus1'],
    [1.5, 'Value1_5'],
  ])('of %j is %s', (value, want) => {
    expect(toEnumMemberName(value)).toBe(want);
  });
});

describe('whatever a contract calls a thing', () => {
  it('becomes an identifier that strict code accepts as a binding', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        for (const identifier of [toTypeName(name), toMemberName(name)]) {
          expect(() => new Function(`"use strict"; const ${identifier} = 1;`)).not.toThrow();
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('becomes a file name of letters, digits and hyphens that stays in its folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(toFileName(toTypeName(name))).toMatch(/^[\p{ID_Continue}$][\p{ID_Continue}$-]*$/u);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a name registry', () => {
  it('tells who asks for a taken name whose it is', () => {
    const names = new NameRegistry<string>();
    expect(names.claim('charge', 'first')).toBeUndefined();
    expect(names.claim('charge', 'second')).toBe('first');
  });

  it('counts names as one that its fold makes one', () => {
    const names = new NameRegistry<string>((name) => name.toLowerCase());
    names.claim('Charge', 'first');
    expect(names.claim('charge', 'second')).toBe('first');
  });

  it('numbers a derived name until it is free', () => {
    const names = new NameRegistry<string>();
    expect([1, 2, 3].map((owner) => names.claimFree('item', String(owner), '-'))).toEqual([
      'item',
      'item-2',
      'item-3',
    ]);
  });
});
