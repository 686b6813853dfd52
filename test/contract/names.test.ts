import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  NameRegistry,
  toEnumMemberName,
  toEnvironmentName,
  toFileName,
  toMemberName,
  toTypeName,
} from '../../generator/contract/names.ts';
import { runsOf } from '../some.ts';

describe('a type name', () => {
  it.each([
    ['PixStatus', 'PixStatus'],
    ['due-date charge', 'DueDateCharge'],
    ['issue_comment', 'IssueComment'],
    ['v1.Charge', 'V1Charge'],
    ['3ds-result', '_3dsResult'],
    ['404', 'Status404'],
    ['600', '_600'],
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

/** Names of real contracts with what becomes of them as a type, as a member, as a file and as a value of an enumeration. */
const real: readonly (readonly [
  name: string,
  type: string,
  member: string,
  file: string,
  value: string,
])[] = [
  // bacen Pix
  [
    'REMOVIDA_PELO_USUARIO_RECEBEDOR',
    'RemovidaPeloUsuarioRecebedor',
    'removidaPeloUsuarioRecebedor',
    'removida-pelo-usuario-recebedor',
    'REMOVIDA_PELO_USUARIO_RECEBEDOR',
  ],
  ['endToEndId', 'EndToEndId', 'endToEndId', 'end-to-end-id', 'EndToEndId'],
  ['devolução', 'Devolução', 'devolução', 'devolução', 'Devolução'],
  [
    'SITUAÇÃO_DO_PAGAMENTO',
    'SituaçãoDoPagamento',
    'situaçãoDoPagamento',
    'situação-do-pagamento',
    'SITUAÇÃO_DO_PAGAMENTO',
  ],
  ['CPFCnpj', 'CPFCnpj', 'cpfCnpj', 'cpf-cnpj', 'CPFCnpj'],
  ['CPF_CNPJ', 'CpfCnpj', 'cpfCnpj', 'cpf-cnpj', 'CPF_CNPJ'],
  ['get /v2/cob/{txid}', 'GetV2CobTxid', 'getV2CobTxid', 'get-v2-cob-txid', 'GetV2CobTxid'],
  // GitHub
  ['GET_USER_BY_ID', 'GetUserById', 'getUserById', 'get-user-by-id', 'GET_USER_BY_ID'],
  ['X-GitHub-Event', 'XGitHubEvent', 'xGitHubEvent', 'x-git-hub-event', 'XGitHubEvent'],
  [
    'x-hub-signature-256',
    'XHubSignature256',
    'xHubSignature256',
    'x-hub-signature256',
    'XHubSignature256',
  ],
  [
    'repos/get-content',
    'ReposGetContent',
    'reposGetContent',
    'repos-get-content',
    'ReposGetContent',
  ],
  // Stripe
  [
    'customer.subscription.trial_will_end',
    'CustomerSubscriptionTrialWillEnd',
    'customerSubscriptionTrialWillEnd',
    'customer-subscription-trial-will-end',
    'CustomerSubscriptionTrialWillEnd',
  ],
  ['2023-10-16', '_2023_10_16', '_2023_10_16', 'n-2023-10-16', '_2023_10_16'],
  // Svix
  [
    'message.attempt.exhausted',
    'MessageAttemptExhausted',
    'messageAttemptExhausted',
    'message-attempt-exhausted',
    'MessageAttemptExhausted',
  ],
  // Adyen
  [
    'REPORT_AVAILABLE',
    'ReportAvailable',
    'reportAvailable',
    'report-available',
    'REPORT_AVAILABLE',
  ],
  ['ThreeDS2Result', 'ThreeDS2Result', 'threeDS2Result', 'three-ds2-result', 'ThreeDS2Result'],
  ['3D_SECURE', '_3dSecure', '_3dSecure', 'n-3d-secure', '_3D_SECURE'],
  // AWS, eBay, Mux
  ['US-EAST-1', 'UsEast1', 'usEast1', 'us-east1', 'US_EAST_1'],
  ['python3.8', 'Python3_8', 'python3_8', 'python3-8', 'Python3_8'],
  [
    'X-EBAY-C-MARKETPLACE-ID',
    'XEbayCMarketplaceId',
    'xEbayCMarketplaceId',
    'x-ebay-c-marketplace-id',
    'X_EBAY_C_MARKETPLACE_ID',
  ],
  ['UPLOAD_ID', 'UploadId', 'uploadId', 'upload-id', 'UPLOAD_ID'],
  // Capitals that are right as they are
  ['OAuth2Token', 'OAuth2Token', 'oAuth2Token', 'o-auth2-token', 'OAuth2Token'],
  ['iOSVersion', 'IOSVersion', 'iOSVersion', 'ios-version', 'IOSVersion'],
  ['userID', 'UserID', 'userID', 'user-id', 'UserID'],
  ['v2', 'V2', 'v2', 'v2', 'V2'],
  ['DONE', 'DONE', 'done', 'done', 'DONE'],
  ['UTF-8', 'UTF8', 'utf8', 'utf8', 'UTF8'],
  // Words that would run together
  ['X-API-Key', 'XApiKey', 'xAPIKey', 'x-api-key', 'XApiKey'],
  ['some_URL_API', 'SomeUrlApi', 'someUrlApi', 'some-url-api', 'SomeUrlApi'],
  ['version_1_1', 'Version1_1', 'version1_1', 'version1-1', 'Version1_1'],
  // Other scripts
  ['支付_结果', '支付结果', '支付结果', '支付结果', '支付结果'],
  ['हिन्दी भाषा', 'हिन्दीभाषा', 'हिन्दीभाषा', 'हिन्दीभाषा', 'हिन्दीभाषा'],
  ['😀', 'U1F600', 'u1F600', 'u1-f600', 'U1F600'],
  ['a 😀 b', 'AB', 'aB', 'ab', 'AB'],
];

test.each(real)('every word of %j is in its names', (name, type, member, file, value) => {
  expect({
    type: toTypeName(name),
    member: toMemberName(name),
    file: toFileName(toTypeName(name)),
    value: toEnumMemberName(name),
  }).toEqual({ type, member, file, value });
});

test.each([
  ['Orders', 'apiKey', 'API_ORDERS_API_KEY'],
  ['The shop, 2nd', 'oauth2', 'API_THE_SHOP_2ND_OAUTH2'],
  ['', 'clientURLSecret', 'API_SERVICE_CLIENT_URL_SECRET'],
  ['…', 'key', 'API_SERVICE_KEY'],
  ['AWS', 'SECRET_ACCESS_KEY', 'API_AWS_SECRET_ACCESS_KEY'],
  ['=x;y', '$(z)\n', 'API_X_Y_Z'],
  ['Açaí', 'clé', 'API_ACAI_CLE'],
  ['支付', 'key', 'API_U652F_U4ED8_KEY'],
  ['日本', 'ж1', 'API_U65E5_U672C_U436_1'],
  ['x'.repeat(90), 'NODE_OPTIONS', `API_${'X'.repeat(40)}_NODE_OPTIONS`],
])('the environment variable of the service %j and %j is %s', (service, name, want) => {
  expect(toEnvironmentName(service, name)).toBe(want);
});

describe('the name of an enumeration value', () => {
  it.each([
    ['DONE', 'DONE'],
    ['in_progress', 'InProgress'],
    ['', 'EmptyText'],
    ['-1', 'Minus1'],
    ['+1', 'Plus1'],
    ['A-', 'AMinus'],
    ['A+', 'APlus'],
    ['a-1', 'A1'],
    ['E+R', 'E_PLUS_R'],
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
        for (const identifier of [toTypeName(name), toMemberName(name), toEnumMemberName(name)]) {
          expect(() => new Function(`"use strict"; const ${identifier} = 1;`)).not.toThrow();
        }
      }),
      { numRuns: runsOf(2000) },
    );
  });

  it('becomes a file name of letters, digits and hyphens that stays in its folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(toFileName(toTypeName(name))).toMatch(/^[\p{ID_Continue}$][\p{ID_Continue}$-]*$/u);
      }),
      { numRuns: runsOf(2000) },
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
