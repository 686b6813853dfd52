import { optional } from '../json/json.ts';
import { indexSchemas, type SchemaIndex } from '../schema/references.ts';
import { describeAuthentication } from './authentication.ts';
import { nameCalls } from './calls.ts';
import type {
  Content,
  Contract,
  Notification,
  Operation,
  ReadData,
  Response,
  StatedContent,
  StatedRepresentation,
} from './contract.ts';
import { describeCredentials } from './credentials.ts';
import { describeDelivery } from './delivery.ts';
import { nameEvents, wireNames } from './events.ts';
import { describeForm } from './form.ts';
import { withValues } from './label-values.ts';
import { describeContent } from './media-types.ts';
import { nameCallModules, placeSchemas } from './modules.ts';
import { openCodesOf } from './open-codes.ts';
import { acceptancesOf, describeStatus, fixedHeadersOf } from './outcomes.ts';
import { describeRepresentation, withReadData } from './representations.ts';
import { assignServers } from './servers.ts';
import { describeSignedBody } from './signed-members.ts';
import { describeWorkflows, type StatedWorkflow } from './workflows.ts';

/** A response as the contract states it. */
export type StatedResponse = Omit<Response, 'content' | 'fixedHeaders' | 'success' | 'failure'> & {
  readonly content: readonly StatedContent[];
};

/** A call as the contract states it. */
export type StatedOperation = Omit<
  Operation,
  'requestBody' | 'responses' | 'names' | 'leftOut' | 'ownServer'
> & {
  readonly requestBody?: Omit<NonNullable<Operation['requestBody']>, 'content'> & {
    readonly content: readonly StatedContent[];
  };
  readonly responses: readonly StatedResponse[];
};

/** A notification as the contract states it. */
export type StatedNotification = Omit<
  Notification,
  | 'eventType'
  | 'representations'
  | 'signedBody'
  | 'delivery'
  | 'wire'
  | 'openCodes'
  | 'acceptances'
  | keyof ReadData
> & {
  readonly representations: readonly StatedRepresentation[];
};

/** A contract without what follows from its other members. */
export type StatedContract = Omit<
  Contract,
  | 'operations'
  | 'notifications'
  | 'authentication'
  | 'credentials'
  | 'servers'
  | 'unions'
  | 'workflows'
> & {
  readonly workflows: readonly StatedWorkflow[];
  readonly operations: readonly StatedOperation[];
  readonly notifications: readonly StatedNotification[];
};

/**
 * Computes the members of a contract that follow from others: how deliveries are authenticated, the names of calls and
 * events, the modules of generated code, credentials, media types and statuses, forms,
 * servers, and what workflows refer to. A contract of which a member was replaced is completed again.
 */
export function completeContract(stated: StatedContract): Contract {
  const index = indexSchemas(stated);
  const { servers, operations } = assignServers({
    ...stated,
    operations: nameCallModules(
      nameCalls(stated.operations.map((operation) => describeBodies(operation, index))),
    ),
  });
  const wires = wireNames(stated);
  const { notifications, unions } = nameEvents(
    stated.notifications.map((notification) => describeData(notification, stated, index, wires)),
    stated.recognition,
  );
  const workflows = describeWorkflows({ ...stated, operations });
  const schemas = placeSchemas({ ...stated, operations, notifications });
  const contract = { ...stated, schemas, operations, servers, notifications, unions, workflows };
  return {
    ...contract,
    ...describeCredentials(contract),
    authentication: describeAuthentication(contract),
  };
}

function describeData(
  notification: StatedNotification,
  contract: StatedContract,
  index: SchemaIndex,
  wires: ReadonlyMap<string, string>,
): Omit<Notification, 'eventType'> {
  const { signedBody: _, ...others } = notification as Partial<Notification>;
  const described = withReadData(others as StatedNotification);
  const wire = wires.get(described.payload) ?? described.payload;
  return {
    ...described,
    ...optional('label', described.label && withValues(described.label, described)),
    representations: described.representations.map((it) => describeRepresentation(it, index)),
    ...optional('signedBody', describeSignedBody(contract, described, index)),
    delivery: describeDelivery(described),
    wire,
    openCodes: openCodesOf(index, described, wire),
    acceptances: acceptancesOf(described.successes),
  };
}

function describeBodies(
  { requestBody, responses, ...operation }: StatedOperation,
  index: SchemaIndex,
): Operation {
  const describe = (content: readonly StatedContent[]): Response['content'] =>
    content.map((media) => describeContent(media, index));
  const declared = responses.map(({ status }) => status);
  return {
    ...operation,
    ...(requestBody === undefined
      ? {}
      : {
          requestBody: {
            ...requestBody,
            content: describe(requestBody.content).map((media) => describeFormBody(media, index)),
          },
        }),
    responses: responses.map((response) => {
      const { success: _, failure: __, ...others } = response as Partial<Response>;
      return {
        ...(others as StatedResponse),
        content: describe(response.content),
        fixedHeaders: fixedHeadersOf(response.headers),
        ...describeStatus(response.status, declared),
      };
    }),
  };
}

/** Adds how a form in the body of a request is written. */
function describeFormBody(media: Content, index: SchemaIndex): Content {
  return media.kind === 'form' ? { ...media, form: describeForm(media, index) } : media;
}
