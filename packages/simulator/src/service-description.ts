import type {
  AccessToken,
  Content,
  Credential,
  Example,
  Info,
  Json,
  JsonObject,
  JsonType,
  ModelVersion,
  Notification,
  Operation,
  Parameter,
  Response,
  SecurityScheme,
  Signature,
  Unstated,
  Workflow,
} from 'countersign/kit';
import type { BodySignatureScheme } from '@countersign/runtime/signing/body';

/** A violation of the contract by a value. Its texts come from the contract, and contain no value. */
export interface Violation {
  /** JSON Pointer (RFC 6901) of the invalid value; empty for the whole value. */
  readonly pointer: string;
  /** The violated keyword of JSON Schema. */
  readonly keyword: string;
  /** What is wrong, as a phrase that follows the name of the value. */
  readonly message: string;
}

/** The compiled validation of a schema. Neither function throws. */
export interface Check {
  readonly accepts: (value: unknown) => boolean;
  readonly violations: (value: unknown) => readonly Violation[];
}

/** A contract as the simulator reads it: data, and the compiled validators of its schemas. */
export interface ServiceDescription extends ServiceData {
  /** The validators by the names that the data uses. */
  readonly checks: ReadonlyMap<string, Check>;
}

/**
 * What the simulator reads of the model of a contract, as plain data, with what is made of its schemas. The generator
 * writes it. Members have the names and the order of the model.
 */
export interface ServiceData {
  readonly modelVersion: ModelVersion;
  readonly info: Pick<Info, 'title' | 'version'>;
  readonly operations: readonly OperationData[];
  /** The servers that operations have of their own, as the option `baseUrls` of a generated client names them. */
  readonly servers?: readonly string[];
  /** The paths of token endpoints, as the option `baseUrls` of a generated client names them. */
  readonly tokenEndpoints?: Readonly<Record<string, string>>;
  readonly notifications: readonly NotificationData[];
  readonly security: readonly SchemeData[];
  readonly credentials: readonly CredentialData[];
  /** The open questions of the ledger that have choices. Their answers are options of the simulator. */
  readonly unstated: readonly Question[];
  readonly workflows: readonly WorkflowData[];
}

/** The JSON types that a value can have, which decide how its text in a URL, header or form is read. */
export interface ValueShape {
  /** In JSON Schema's words; several if the schema allows several. Empty: any. */
  readonly types: readonly JsonType[];
  /** The shape of the elements of an array. */
  readonly items?: ValueShape;
  /** The shapes of the declared members of an object. */
  readonly properties?: Readonly<Record<string, ValueShape>>;
}

/** A call that the service answers. */
export interface OperationData extends Pick<
  Operation,
  'id' | 'method' | 'path' | 'summary' | 'security'
> {
  /** The name of its function in the generated client; unique. */
  readonly name: string;
  readonly parameters: readonly ParameterData[];
  /**
   * The name of the check of all parameters. Its value is an object with the members `path`, `query`, `header` and
   * `cookie`, each an object of the decoded values by name. Header names are in lower case.
   */
  readonly parameterCheck?: string;
  readonly requestBody?: { readonly required: boolean; readonly content: readonly MediaData[] };
  readonly responses: readonly ResponseData[];
  /**
   * Present for a token request of OAuth 2.0 with the client credentials flow (RFC 6749, section 4.4): the names of the
   * credentials that can authenticate it, each a pair of client ID and secret.
   */
  readonly clientCredentials?: readonly string[];
}

export interface ParameterData extends Pick<
  Parameter,
  'name' | 'in' | 'required' | 'style' | 'explode' | 'mediaType' | 'everyRequest'
> {
  readonly shape: ValueShape;
}

/** A body of one media type. The check of its values has the name of the schema. */
export interface MediaData extends Pick<Content, 'mediaType' | 'schema'> {
  readonly shape?: ValueShape;
  /** How the fields of a form are written, where the contract states it; by name. */
  readonly fields?: Readonly<Record<string, { readonly style: string; readonly explode: boolean }>>;
  readonly examples: readonly NamedValue[];
  /** Values that are made from the schema, for bodies without an example; each is valid. */
  readonly samples: readonly Json[];
}

/** An example of the contract. */
export type NamedValue = Pick<Example, 'name' | 'value'>;

export interface ResponseData extends Pick<Response, 'status' | 'description'> {
  /** The headers that every response of this status has, with a value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly content: readonly MediaData[];
}

/** A notification that the service sends. */
export interface NotificationData extends Pick<
  Notification,
  'name' | 'summary' | 'dedupeBy' | 'security'
> {
  readonly method: string;
  /** The path template of the label; empty where the contract states none. */
  readonly path: string;
  /** Where the parameters of the path get their values: a JSON Pointer into the payload, or nothing. */
  readonly parameters: readonly { readonly name: string; readonly pointer?: string }[];
  /** Empty where the data is in the query. */
  readonly contentType: string;
  /** How the data is written, if not in the body as its media type states: as parameters of the query. */
  readonly encoding?: 'query';
  /** Headers with values that the contract fixes, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the check of a body in any wire format. */
  readonly check?: string;
  readonly examples: readonly NamedValue[];
  /** Payloads that break one rule each. */
  readonly invalidExamples: readonly NamedValue[];
  /** Payloads that are made from the schema; each is valid. */
  readonly samples: readonly Json[];
  /**
   * Paths of members with open enumerations: a code that the contract does not list is valid there. `*` is every
   * element of an array.
   */
  readonly openCodes: readonly {
    readonly path: readonly string[];
    readonly type: 'string' | 'integer' | 'number';
  }[];
}

/** A security scheme. */
export interface SchemeData extends Pick<
  SecurityScheme,
  'id' | 'type' | 'in' | 'parameterName' | 'httpScheme'
> {
  /** The name of the credential with its key or secret; absent for access tokens that an operation issues. */
  readonly credential?: string;
  readonly signature?: SignatureData;
  /** A signature that is a member of the body. */
  readonly bodySignature?: BodySignatureScheme;
  /** How an access token is issued and sent. The operation is the name of its function in the generated client. */
  readonly accessToken?: AccessToken;
}

/** A signature with the header that carries it. */
export type SignatureData = Omit<Signature, 'key'> & {
  readonly header: string;
  readonly key: Omit<Signature['key'], 'credential' | 'description'>;
};

/** A secret or a name that the operator of the service issues. */
export type CredentialData = Pick<
  Credential,
  'name' | 'description' | 'form' | 'isPublic' | 'value'
> & { readonly sentBy?: Omit<NonNullable<Credential['sentBy']>, 'schema'> };

/** An open question of the ledger with its choices. */
export type Question = Pick<Unstated, 'id' | 'optionName' | 'question' | 'assumed' | 'choices'>;

/** A workflow, from the integrator's side. Its id is unique in the contract. */
export interface WorkflowData extends Pick<Workflow, 'id' | 'summary'> {
  /** The JSON Schema of its inputs, as the document states it. */
  readonly inputs?: Json;
  readonly steps: readonly WorkflowStepData[];
  /** The Workflow Object without its steps, with references to components and ids of workflows resolved. */
  readonly source: JsonObject;
}

export interface WorkflowStepData {
  readonly id: string;
  /**
   * `call`: the simulator waits for a call. `receive`: the simulator delivers a notification. `workflow`: another
   * workflow runs. `note`: a step that the contract mentions and does not describe; the run waits for `proceed`.
   */
  readonly kind: 'call' | 'receive' | 'workflow' | 'note';
  readonly description?: string;
  /** Names of operations, kinds of notifications, or ids of workflows; one of them happens. */
  readonly targets: readonly string[];
  /** Where messages have their correlation id, as AsyncAPI states it (`$message.payload#/id`); by kind. */
  readonly correlation?: Readonly<Record<string, string>>;
  /** The Step Object with references resolved; empty for a note that no Step Object states. */
  readonly source: JsonObject;
}
