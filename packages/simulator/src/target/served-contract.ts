import type {
  SentSignature,
  ServedContent,
  ServedOperation,
  ServedScheme,
  Service,
  ServiceData,
} from '../service.ts';
import { indexSchemas, toReference } from 'countersign/companion/contract';
import {
  callsOf,
  requestContent,
  responseContent,
  shapeOf,
} from 'countersign/companion/deliveries';
import { optional, pick } from 'countersign/companion/values';
import type {
  Content,
  Contract,
  Credential,
  SchemaIndex,
  SecurityScheme,
  Signature,
} from 'countersign/kit';

/**
 * Returns the parts of the model that the generated simulator carries: the nodes that it reads, without their places,
 * sources and texts. Its schemas and its ledger are in the contract's package.
 */
export function servedContract(contract: Contract): Omit<ServiceData, 'samples'> {
  const { info, servers, notifications } = contract;
  return {
    modelVersion: 2,
    info: pick(info, 'title', 'version'),
    operations: servedOperations(contract),
    servers: {
      overrides: servers.overrides.map((server) => pick(server, 'key')),
      tokenEndpoints: servers.tokenEndpoints.map((endpoint) =>
        pick(endpoint, 'key', 'schemes', 'name', 'servedPath'),
      ),
    },
    notifications: notifications.map(({ label, examples, invalidExamples, ...notification }) => ({
      ...pick(notification, 'name', 'summary', 'dedupeBy', 'security', 'encoding', 'memberStyles'),
      ...optional(
        'label',
        label && {
          path: label.path,
          parameters: label.parameters.map((parameter) =>
            pick(parameter, 'name', 'inPayload', 'identifying'),
          ),
        },
      ),
      ...pick(notification, 'delivery', 'wire', 'openCodes'),
      examples: examples.map((example) => pick(example, 'name', 'value')),
      invalidExamples: invalidExamples.map((example) => pick(example, 'name', 'value')),
    })),
    security: contract.security.map((scheme) => servedScheme(contract, scheme)),
    credentials: contract.credentials.map(servedCredential),
    workflows: contract.workflows.map(({ steps, ...workflow }) => ({
      ...pick(workflow, 'id', 'summary', 'definition'),
      steps: steps.map((step) =>
        step.kind === 'note'
          ? pick(step, 'kind', 'id', 'description')
          : pick(step, 'kind', 'id', 'description', 'names', 'correlation', 'definition'),
      ),
    })),
  };
}

/** Returns the open questions of the ledger that have choices. */
export function servedQuestions({ unstated }: Contract): Service['unstated'] {
  return unstated
    .filter(({ settled, choices }) => settled === undefined && choices.length > 0)
    .map((entry) => pick(entry, 'id', 'optionName', 'question', 'assumed', 'choices'));
}

/** Returns the calls that the generated client can make. */
function servedOperations(contract: Contract): readonly ServedOperation[] {
  const index = indexSchemas(contract);
  return callsOf(contract).map(({ operation }) => {
    const content = requestContent(operation);
    return {
      ...pick(operation, 'id', 'name', 'method', 'path', 'summary', 'security'),
      parameters: operation.parameters.map((parameter) => ({
        ...pick(
          parameter,
          'name',
          'in',
          'required',
          'style',
          'explode',
          'mediaType',
          'everyRequest',
        ),
        shape: shapeOf(index, parameter.schema),
      })),
      ...(content.length === 0
        ? {}
        : {
            requestBody: {
              required: operation.requestBody?.required === true,
              content: content.map((media) => servedContent(media, index)),
            },
          }),
      responses: operation.responses.map((response) => ({
        ...pick(response, 'status', 'description', 'fixedHeaders'),
        content: responseContent(operation, response).map((media) => servedContent(media, index)),
      })),
    };
  });
}

function servedContent({ form, examples, ...content }: Content, index: SchemaIndex): ServedContent {
  const { kind, schema } = content;
  const fields = form?.fields ?? [];
  // A range of media types contains forms.
  const canBeForm = kind === 'form' || kind === 'multipart' || kind === 'value';
  return {
    ...pick(content, 'mediaType', 'schema'),
    ...(schema !== undefined && canBeForm ? { shape: shapeOf(index, toReference(schema)) } : {}),
    ...(kind === 'binary' ? { isBytes: true } : {}),
    ...(fields.length === 0
      ? {}
      : { form: { fields: fields.map((field) => pick(field, 'name', 'style', 'explode')) } }),
    examples: examples.map((example) => pick(example, 'name', 'value')),
  };
}

function servedScheme(
  { operations }: Contract,
  { signature, accessToken, ...scheme }: SecurityScheme,
): ServedScheme {
  const issuing = operations.find(({ id }) => id === accessToken?.operation);
  return {
    ...pick(scheme, 'id', 'type', 'in', 'parameterName', 'httpScheme', 'credential'),
    ...optional('signature', signature && servedSignature(signature)),
    ...pick(scheme, 'bodyScheme'),
    // An operation without a function issues nothing.
    ...optional('accessToken', issuing?.names && accessToken),
  };
}

/** Returns a signature without what users configure. */
function servedSignature({ key, ...signature }: Signature): SentSignature {
  const { credential: _, description: __, ...served } = key;
  return { ...signature, key: served };
}

function servedCredential({
  sentBy,
  ...credential
}: Credential): ServiceData['credentials'][number] {
  return {
    ...pick(credential, 'name', 'description', 'form', 'isPublic', 'value'),
    ...optional('sentBy', sentBy && pick(sentBy, 'operation', 'in', 'name', 'isOptional')),
  };
}
