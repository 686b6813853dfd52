/**
 * What the source document states, in our words: a fact for each row of its tables and each numbered sentence. A fact
 * has its section, the place of the contract that states it, and what is there: words of a text, or the value itself.
 */
export type SourceFact = readonly [
  section: string,
  /** A file of `spec/` and the JSON Pointer in it. */
  at: string,
  /** The words that the text there has to contain, or the value that it has to be. */
  states: string | readonly (string | number)[] | { readonly is: string | boolean },
];

const notifications = 'asyncapi.yaml#/info/description';
const calls = 'openapi.yaml#/info/description';
const token = 'openapi.yaml#/paths/~1token/post';
const schemes = 'openapi.yaml#/components/securitySchemes';
const message = (name: string, member: string): string =>
  `asyncapi.yaml#/components/messages/${name}/${member}`;
const channel = (name: string): string => `asyncapi.yaml#/channels/${name}`;
const schema = (name: string, pointer: string): string => `schemas/${name}.yaml#${pointer}`;
const text = (name: string, member: string): string =>
  schema(name, `/properties/${member}/description`);

/** The rows of a table of members: a word that each description has. */
function members(section: string, name: string, rows: Record<string, string>): SourceFact[] {
  return Object.entries(rows).map(([member, words]) => [section, text(name, member), words]);
}

/** The rows of a table of codes. */
function codes(
  section: string,
  name: string,
  rows: readonly (readonly [string | number, string])[],
) {
  return rows.flatMap(([code, meaning], index): SourceFact[] => [
    [section, schema(name, `/x-extensible-enum/${index}`), [code]],
    [section, schema(name, `/x-enum-varnames/${index}`), meaning],
  ]);
}

export const sourceFacts: readonly SourceFact[] = [
  ['1.1', notifications, 'to the registered URL'],
  ['1.2', calls, 'Before any call, an integrator obtains an access token'],
  ['1.2', calls, 'with a client identifier and a client secret'],
  ['1.3', notifications, 'configures one webhook, by giving the URL of an endpoint on its side'],
  ['1.3', notifications, 'whenever an asynchronous stage completes'],
  ['1.3', notifications, 'customer registration (with identity verification, KYC)'],
  ['1.3', notifications, 'charge payment, due-date charge payment, static charge payment'],
  ['1.3', notifications, 'charge reversal, cash-out (two stages), and cash-out reversal'],
  ['1.3', message('customer', 'description'), 'identity verification (KYC)'],
  ['1.3', message('charge', 'description'), 'charge payment'],
  ['1.3', message('dueDateCharge', 'description'), 'due-date charge payment'],
  ['1.3', message('staticCharge', 'description'), 'static charge payment'],
  ['1.4', notifications, "must be whitelisted on the operator's proxy"],
  ['1.4', notifications, 'a change is requested from the service operator'],
  [
    '1.5',
    notifications,
    'Payer information is included in notifications only when the setting "Allow Share Payer Data" is enabled.',
  ],
  [
    '1.5',
    notifications,
    'For cash-out reversal notifications this rule does not apply: payer and receiver information is always returned',
  ],
  [
    '1.5',
    text('ChargePix', 'payer'),
    'included in notifications only when the setting "Allow Share Payer Data"',
  ],
  [
    '1.5',
    message('cashoutReversal', 'description'),
    'Payer and receiver information is always returned',
  ],
  ['1.6', notifications, 'KYC approval and rejection criteria differ per environment'],
  [
    '1.6',
    notifications,
    'the integrator sends the CNPJ numbers to be approved to the operator in advance',
  ],
  ...members('2.1', 'Token', {
    access_token: 'The JWT that authenticates later requests',
    expires_in: 'lifetime of the token, in seconds',
  }),
  ...members('2.2', 'Customer', {
    protocolId: 'internal protocol identifier of the KYC process',
    externalProtocolId: 'external protocol identifier',
    platformClientId: "unique identifier of the client in the service's platform",
    status: 'KYC status',
    errors: 'errors, if any',
  }),
  ['2.2', schema('CustomerDocumentType', '/description'), 'The value shown is CNPJ'],
  ['2.2', text('CustomerDocument', 'number'), 'document number'],
  ['2.2', text('CustomerError', 'code'), 'error code'],
  ['2.2', text('CustomerError', 'message'), 'text of the error message'],
  ...members('2.3', 'PixPayer', {
    name: "payer's name",
    document: 'CPF or CNPJ',
    ispb: 'ISPB of the payer',
    agency: 'agency',
    accountNumber: 'account number',
    accountType: 'account type',
  }),
  ...members('2.4', 'ChargePix', {
    endToEndId: 'The end-to-end identifier of the payment confirmation.',
    txid: 'The transaction identifier.',
    payer: 'The payer information.',
  }),
  ...members('2.4', 'PixTransaction', {
    chave: 'Pix key of the account',
    Status: 'Pix transaction status',
    OperationType: 'Pix operation type',
  }),
  ...members('2.4', 'ChargePixWithAmounts', {
    Amount: 'paid amount',
    OriginalAmount: 'original amount',
    Discount: 'discount applied. Can be null',
    Reduction: 'reduction applied. Can be null',
    Penalty: 'penalty applied. Can be null',
    Interest: 'interest applied. Can be null',
  }),
  [
    '2.4',
    schema('ChargePixWithAmounts', '/description'),
    'present only in the due-date and static notifications',
  ],
  [
    '2.4',
    schema('Charge', '/description'),
    'present only in the due-date and static notifications',
  ],
  ...members('2.5', 'ChargeReversalPix', {
    endToEndId: 'The end-to-end identifier of the reversal.',
    txid: 'The transaction identifier of the reversal.',
  }),
  ...members('2.5', 'PixTransaction', {
    chave: 'Pix key of the account',
    Status: 'Pix transaction status',
    OperationType: 'Pix operation type',
  }),
  ...members('2.6', 'CashoutPix', {
    txid: 'transaction identifier of the cash-out',
    endToEndId: 'Null until the withdrawal is confirmed',
    createdAt: 'creation time',
    confirmedAt: 'confirmation time. Null until the withdrawal is confirmed',
    pixKey: 'Pix key of the service account, the source',
    receiverDocument: 'document of the destination account',
    receiverPixKey: 'Pix key of the destination account',
    amount: 'cash-out value',
    confirmationKey: 'random key used to confirm the withdrawal',
    Status: 'cash-out status',
    OperationType: 'cash-out operation type',
  }),
  [
    '2.6',
    schema('Cashout', '/description'),
    'an array of objects under the lower-case key `pix`, with lower-case members',
  ],
  ['2.6', schema('Cashout', '/description'), 'Consumers must accept that array form'],
  ['2.6', schema('Cashout', '/x-variants/array/each'), { is: '/pix' }],
  ['2.6', schema('Cashout', '/x-variants/array/rename/status'), { is: 'Status' }],
  ['2.6', schema('Cashout', '/x-variants/array/rename/operationType'), { is: 'OperationType' }],
  ...members('2.7', 'CashoutReversalPix', {
    endToEndId: 'end-to-end identifier of the reversed cash-out',
    EndToEndOriginal: 'end-to-end identifier of the original cash-out',
    txid: 'transaction identifier of the reversed cash-out',
    chave: 'Pix key of the account',
    Status: 'transaction status',
    OperationType: 'operation type',
    amount: 'amount reversed',
    payerDocument: 'CPF or CNPJ of the payer',
    movementType: 'movement type',
  }),
  ...codes('3.1', 'PixStatus', [
    [0, 'Pending'],
    [1, 'Confirmed'],
    [2, 'Canceled'],
  ]),
  ...codes('3.2', 'PixOperationType', [
    [0, 'Charge'],
    [1, 'Refund'],
    [2, 'Reverse'],
  ]),
  ...codes('3.3', 'CashoutOperationType', [[7, 'ManualWithdrawal']]),
  ...codes('3.4', 'CashoutReversalOperationType', [[10, 'CashOutReverse']]),
  ...codes('3.5', 'CashoutReversalMovementType', [
    [0, 'Debit'],
    [1, 'Credit'],
  ]),
  ['3.6', schema('CustomerStatus', '/x-extensible-enum'), ['PENDING', 'PROCESSING', 'DONE']],
  ['3.6', schema('CustomerStatus', '/x-enum-descriptions/0'), 'Waiting for processing'],
  ['3.6', schema('CustomerStatus', '/x-enum-descriptions/1'), 'In progress'],
  [
    '3.6',
    schema('CustomerStatus', '/x-enum-descriptions/2'),
    'completed in its final KYC status. The customer information can then be requested',
  ],
  ['4.1', `${token}/description`, 'required for all other calls'],
  ['4.1', 'openapi.yaml#/components/parameters/Timestamp/required', { is: true }],
  ['4.1', 'openapi.yaml#/components/parameters/RequestId/required', { is: true }],
  ['4.1', `${schemes}/apiKey/name`, { is: 'apikey' }],
  ['4.1', `${schemes}/signature/name`, { is: 'x-hmac-signature' }],
  [
    '4.1',
    `${token}/requestBody/content/application~1x-www-form-urlencoded/schema/$ref`,
    'TokenRequest',
  ],
  ['4.1', text('TokenRequest', 'client_id'), 'client identifier'],
  ['4.1', text('TokenRequest', 'client_secret'), 'client secret'],
  ['4.1', `${token}/responses/2XX/content/application~1json/schema/$ref`, 'Token'],
  ['4.2', notifications, 'configures one webhook, by giving the URL of an endpoint on its side'],
  [
    '4.3',
    notifications,
    'After the first cash-out notification, the integrator calls a confirmation request at the path `/cashout/confirm`, using the confirmation key received',
  ],
  ['4.3', message('cashoutStageOne', 'description'), '`/cashout/confirm`'],
  ['4.3', text('CashoutPix', 'confirmationKey'), '`/cashout/confirm`'],
  ['4.4', notifications, 'Each is an HTTP request with a JSON body to the registered URL'],
  ['4.4', `${channel('customer')}/address`, { is: '/client' }],
  ['4.4', `${channel('charge')}/address`, { is: '/v1/apm/pix/charges' }],
  ['4.4', `${channel('dueDateCharge')}/address`, { is: '/v2/apm/pix/charge/due-date/{txid}' }],
  ['4.4', `${channel('staticCharge')}/address`, { is: '/v2/apm/pix/charge/static' }],
  [
    '4.4',
    `${channel('chargeReversal')}/address`,
    { is: '/v1/apm/pix/{endToEndId}/reverse/{txid}' },
  ],
  ['4.4', `${channel('cashout')}/address`, { is: '/v2/apm/pix/cashout' }],
  ['4.4', `${channel('cashoutReversal')}/description`, 'not labelled by method and path'],
  ...['Customer', 'Charge', 'DueDateCharge', 'StaticCharge', 'Cashout'].map((name): SourceFact => [
    '4.4',
    `asyncapi.yaml#/operations/send${name}/bindings/http/method`,
    { is: 'POST' },
  ]),
  ['4.4', 'asyncapi.yaml#/operations/sendChargeReversal/bindings/http/method', { is: 'PUT' }],
  ['4.4', `${channel('dueDateCharge')}/parameters/txid/description`, 'A string'],
  ['4.4', `${channel('chargeReversal')}/parameters/endToEndId/description`, 'A string'],
  ['4.4', `${channel('chargeReversal')}/parameters/txid/description`, 'A string'],
  ['5.1', `${token}/description`, 'Obtain it before making other API requests'],
  [
    '5.2',
    `${schemes}/accessToken/description`,
    'valid for `expires_in` seconds; after that, a new token must be obtained',
  ],
  [
    '5.3',
    `${schemes}/accessToken/description`,
    'The header is written as `Authorization: <ACCESS_TOKEN>`',
  ],
  ['5.3', `${schemes}/accessToken/description`, 'described as a bearer token for later requests'],
  [
    '5.4',
    calls,
    'Every request requires four headers: the API key, a timestamp, a request id and a signature',
  ],
  ['5.4', `${schemes}/apiKey/description`, 'The API key that the service operator issues'],
  [
    '5.4',
    'openapi.yaml#/components/parameters/Timestamp/description',
    'The current timestamp of the request. Prevents replay',
  ],
  [
    '5.4',
    'openapi.yaml#/components/parameters/RequestId/description',
    'A UUID, unique per request. Used for idempotency and tracing',
  ],
  ['5.4', `${schemes}/signature/description`, 'The result is Base64-encoded'],
  [
    '5.5',
    `${schemes}/signature/description`,
    'HMAC with SHA-256, keyed with the private key issued by the service operator',
  ],
  [
    '5.5',
    `${schemes}/signature/description`,
    'the apikey value, the timestamp, the request body and the URL path, in this order',
  ],
  ['5.6', `${token}/requestBody/description`, 'client credentials, form-encoded'],
  ['5.6', `${schemes}/accessToken/x-access-token/token`, 'access_token'],
  [
    '6.1',
    notifications,
    'to the webhook of an integrator whenever an asynchronous stage completes',
  ],
  ['6.2', message('customer', 'summary'), 'Customer registration and KYC are completed'],
  ['6.2', message('charge', 'summary'), 'A charge is completed'],
  ['6.2', message('dueDateCharge', 'summary'), 'A due-date charge is completed'],
  ['6.2', message('staticCharge', 'summary'), 'A static charge is completed'],
  ['6.2', message('chargeReversal', 'summary'), 'reversal is completed'],
  ['6.2', message('cashoutStageOne', 'summary'), 'A cash-out request was validated asynchronously'],
  [
    '6.2',
    message('cashoutStageTwo', 'summary'),
    'The confirmation request of a cash-out was processed',
  ],
  ['6.2', message('cashoutStageTwo', 'description'), 'the two differ mainly in the status'],
  [
    '6.2',
    message('cashoutReversal', 'summary'),
    'returned, automatically or manually, and the reversal is confirmed',
  ],
  [
    '6.3.1',
    message('customer', 'description'),
    'When the status is `DONE`, the customer information can be requested. Other status values are `PENDING` and `PROCESSING`.',
  ],
  [
    '6.3.2',
    message('cashoutStageOne', 'description'),
    'After a withdrawal request, validation runs asynchronously and the request can still be denied.',
  ],
  [
    '6.3.2',
    message('cashoutStageOne', 'description'),
    'the result and the confirmation key that is needed for the confirmation',
  ],
  [
    '6.3.3',
    message('cashoutStageTwo', 'description'),
    'After the confirmation request, the withdrawal can still fail. The status is 1 if it completed successfully, and 2 if it failed.',
  ],
  ['6.3.4', text('CashoutPix', 'endToEndId'), 'Null until the withdrawal is confirmed'],
  ['6.3.4', text('CashoutPix', 'confirmedAt'), 'Null until the withdrawal is confirmed'],
  [
    '6.3.5',
    text('ChargePix', 'payer'),
    'only when the setting "Allow Share Payer Data" is enabled',
  ],
  [
    '6.3.5',
    message('cashoutReversal', 'description'),
    'Payer and receiver information is always returned',
  ],
  ...['Discount', 'Reduction', 'Penalty', 'Interest'].map((member): SourceFact => [
    '6.3.6',
    text('ChargePixWithAmounts', member),
    'Can be null',
  ]),
  ['6.4', schema('CashoutStatus', '/x-extensible-enum'), [1, 2]],
  [
    '6.4',
    schema('CashoutStatus', '/x-enum-descriptions/0'),
    'The withdrawal completed successfully',
  ],
  ['6.4', schema('CashoutStatus', '/x-enum-descriptions/1'), 'The withdrawal failed (stage 2)'],
  ['7.1', text('Customer', 'errors'), 'Present when KYC reports errors'],
  ['7.1', text('CustomerError', 'code'), 'error code'],
  ['7.1', text('CustomerError', 'message'), 'error message'],
  ['7.2', message('cashoutStageTwo', 'description'), '2 if it failed'],
  ['7.2', message('cashoutStageOne', 'description'), 'can still be denied'],
  ['8.1', text('Token', 'expires_in'), 'lifetime of the token, in seconds'],
  ['8.2', notifications, 'a change is requested from the service operator'],
  [
    '9.1',
    notifications,
    'version prefixes: `/v1` (charge, charge reversal) and `/v2` (due-date charge, static charge, cash-out)',
  ],
];
