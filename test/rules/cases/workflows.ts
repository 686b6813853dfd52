import type { Breach, Observance } from '../rule-case.ts';
import { asyncapi, openapi } from './documents.ts';

const service = openapi(
  `paths:
  /orders:
    post: { operationId: order, x-source: '1', responses: { 2XX: { description: Done. } } }
x-unstated:
  cancelling: { source: '2', question: How is an order cancelled? }
`,
);

const notifications = asyncapi(`channels:
  orders:
    address: /orders
    messages:
      shipped: { payload: { type: object } }
      returned: { payload: { type: string } }
  empty: { address: /empty }
operations:
  sendOrders: { action: send, channel: { $ref: '#/channels/orders' } }
`);

const head = (info = ''): string => `arazzo: 1.1.0
info: { title: Flows, version: 1.0.0${info} }
sourceDescriptions:
  - { name: service, type: openapi, url: ./openapi.yaml }
  - { name: notifications, type: asyncapi, url: ./asyncapi.yaml }
workflows:
`;

/** The files of a contract with one workflow, whose steps and other members are given. */
const withFlow = (
  steps: string,
  more = '',
  service_ = service,
): Readonly<Record<string, string>> => ({
  'openapi.yaml': service_,
  'asyncapi.yaml': notifications,
  'workflows.yaml': `${head(', x-countersign: 1')}  - workflowId: buy
${more}    steps:
${steps}`,
});

const channel = (rest: string, at = 'orders'): string =>
  `      - { stepId: wait, channelPath: '{$sourceDescriptions.notifications.url}#/channels/${at}', ${rest} }`;

const order = '      - { stepId: order, operationId: order }\n';

/** Returns the message's statement about a name that the contract does not have. */
const hasNo = (what: string): string => `There is no ${what}`;

const undeclared = (name: string, files: Breach['files'], says: string, helps = ''): Breach => ({
  name,
  rule: 'workflows',
  code: 'undeclared-name',
  files,
  says,
  helps,
});

export const breaches: readonly Breach[] = [
  {
    name: 'patterns and JSONPaths of workflows',
    rule: 'slow-patterns',
    code: 'slow-pattern',
    says: 'or even exponentially',
    files: withFlow(
      `      - stepId: order
        operationId: order
        successCriteria:
          - { type: regex, context: $response.body, condition: '^a+$' }
          - type: regex
            context: $response.body
            condition: '^(a+)+$' # here
          - type: regex
            context: $response.body
            condition: '^(?:{$inputs.id}|\\w)+$' # here
          - type: { type: jsonpath, version: rfc9535 }
            context: $response.body
            condition: "$..[?search(@['a'], '(a+)+$')]" # here
          - { type: jsonpath, context: $response.body, condition: "$..[?search(@, '^a+$')]" }
        outputs:
          id:
            type: jsonpath
            context: $response.body
            selector: "$..[?match(value(@.b), '(?:a|b|ab)*c')]" # here
        onFailure:
          - name: again
            type: retry
            criteria:
              - type: regex
                context: $response.body
                condition: '^(?:a|aa)*b' # here
`,
      `    failureActions:
      - name: stop
        type: end
        criteria:
          - type: regex
            context: $response.body
            condition: '^(a|aa)*b' # here
    inputs: { properties: { a: { type: string } } }
`,
    ),
  },
  undeclared(
    'a step of an operation that the contract does not have',
    withFlow(
      '      - stepId: order\n        operationId: $sourceDescriptions.service.oder # here\n',
    ),
    `${hasNo('operation')} "$sourceDescriptions.service.oder" in the contract`,
    '"order"',
  ),
  undeclared(
    'an operation of a source description that is not there',
    withFlow('      - { stepId: order, operationId: $sourceDescriptions.shop.order } # here\n'),
    hasNo('operation'),
  ),
  undeclared(
    'a path to an operation that the contract does not have',
    withFlow(
      "      - { stepId: order, operationPath: '{$sourceDescriptions.service.url}#/paths/~1orders/get' } # here\n",
    ),
    hasNo('operation'),
  ),
  undeclared(
    'a step of a channel that the contract does not have',
    withFlow(`${channel('action: receive', 'order')} # here\n`),
    hasNo('channel with messages'),
    '"orders"',
  ),
  undeclared(
    'a step of a channel without messages',
    withFlow(`${channel('action: receive', 'empty')} # here\n`),
    hasNo('channel with messages'),
  ),
  undeclared(
    'a message that the channel does not have',
    withFlow(`${channel('action: receive, x-messages: [shipped, returnd]')} # here\n`),
    `${hasNo('message of the channel')} "returnd"`,
    '"returned"',
  ),
  undeclared(
    'a step that sends what the integrator receives',
    withFlow(`${channel('action: send')} # here\n`),
    'the integrator sends no message of the channel',
    'from the side of the integrator',
  ),
  undeclared(
    'a step of an operation outside the contract',
    withFlow(
      "      - { stepId: a, x-operation: { url: 'https://a.example', method: get } } # here\n",
    ),
    'The step "a" names no operation, channel or workflow',
  ),
  undeclared(
    'workflows that are not there',
    withFlow(
      `      - { stepId: a, workflowId: bye } # here
      - { stepId: b, operationId: order, onSuccess: [{ name: next, type: goto, workflowId: sell }] } # here
`,
    ),
    hasNo('workflow'),
  ),
  undeclared(
    'an undescribed step beside a step that is not there, and without its question',
    withFlow(
      order,
      `    x-undescribed:
      - { after: oder, description: It is cancelled., unstated: cancelling } # here
      - { before: order, description: It is cancelled., unstated: canceling } # here
`,
    ),
    'has the id',
    'Did you mean',
  ),
  {
    name: 'a workflow and an undescribed step that cite nothing',
    rule: 'workflows',
    code: 'missing-source',
    says: 'cites no section of "The order book"',
    files: {
      'openapi.yaml': service.replace(
        'x-countersign: 1',
        'x-countersign: 1, x-source-document: The order book',
      ),
      'workflows.yaml': `${head(', x-countersign: 1').replace(/.*asyncapi.*\n/u, '')}  - workflowId: buy # here
    x-undescribed:
      - { after: order, description: It is cancelled., unstated: cancelling } # here
    steps:
${order}`,
    },
  },
];

const kept = (name: string, files: Observance['files']): Observance => ({
  name,
  code: 'undeclared-name',
  files,
});

export const observances: readonly Observance[] = [
  kept(
    'every way to name an operation, a channel, its messages and a workflow',
    withFlow(
      `${order}      - { stepId: a, operationId: $sourceDescriptions.service.order }
      - { stepId: b, operationPath: '{$sourceDescriptions.service.url}#/paths/~1orders/post' }
      - { stepId: c, operationId: $sourceDescriptions.notifications.sendOrders }
${channel('action: receive, x-messages: [shipped]')}
      - { stepId: again, workflowId: buy }
`,
      `    x-undescribed:
      - { before: order, description: It is cancelled., unstated: cancelling }
`,
    ),
  ),
  kept('extensions of a document that does not use the vocabulary', {
    ...withFlow(order),
    'workflows.yaml': `${head()}  - workflowId: buy
    x-undescribed: [{ after: nothing, description: A., unstated: nothing }]
    steps:
${channel('action: receive, x-messages: [nothing]')}
`,
  }),
];
