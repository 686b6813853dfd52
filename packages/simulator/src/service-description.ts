import type { Example, Json, JsonObject, OrUnstated, Unstated } from 'countersign/kit';
import type { SignatureScheme } from '@countersign/runtime/signing';
import type { BodySignatureScheme } from '@countersign/runtime/signing/body';
import type { KeyPairScheme } from '@countersign/runtime/signing/key-pairs';

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

/** A contract as plain data. The generator writes it; every member is in the order of the contract. */
export interface ServiceData {
  readonly title: string;
  readonly version: string;
  readonly operations: readonly OperationData[];
  /** The servers that operations have of their own, as the option `baseUrls` of a generated client names them. */
  readonly servers?: readonly string[];
  /** The paths of token endpoints, as the option `baseUrls` of a generated client names them. */
  readonly tokenEndpoints?: Readonly<Record<string, string>>;
  readonly notifications: readonly NotificationData[];
  readonly schemes: readonly SchemeData[];
  readonly credentials: readonly CredentialData[];
  /** The ledger: open questions, whose answers are options of the simulator. */
  readonly questions: readonly Question[];
  readonly workflows: readonly WorkflowData[];
}

/** The JSON types that a value can have, which decide how its text in a URL, header or form is read. */
export interface ValueShape {
  /** In JSON Schema's words; several if the schema allows several. Empty: any. */
  readonly types: readonly (
    | 'null'
    | 'boolean'
    | 'integer'
    | 'number'
    | 'string'
    | 'array'
    | 'object'
  )[];
  /** The shape of the elements of an array. */
  readonly items?: ValueShape;
  /** The shapes of the declared members of an object. */
  readonly properties?: Readonly<Record<string, ValueShape>>;
}

/** A call that the service answers. */
export interface OperationData {
  /** The name of its function in the generated client; unique. */
  readonly name: string;
  /** The operationId. */
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  /** The path template, below the base address. */
  readonly path: string;
  readonly summary?: string;
  readonly parameters: readonly ParameterData[];
  /**
   * The name of the check of all parameters. Its value is an object with the members `path`, `query`, `header` and
   * `cookie`, each an object of the decoded values by name. Header names are in lower case.
   */
  readonly parameterCheck?: string;
  readonly body?: { readonly required: boolean; readonly content: readonly MediaData[] };
  readonly responses: readonly ResponseData[];
  /** Alternatives, each a list of ids of schemes that must all be satisfied. Empty: no security. */
  readonly security: readonly (readonly string[])[];
  /**
   * Present for a token request of OAuth 2.0 with the client credentials flow (RFC 6749, section 4.4): the names of the
   * credentials that can authenticate it, each a pair of client ID and secret.
   */
  readonly clientCredentials?: readonly string[];
}

export interface ParameterData {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly style: string;
  readonly explode: boolean;
  /** The media type of the text, where the value is not written in a style. */
  readonly mediaType?: string;
  readonly shape: ValueShape;
  /** Whether every call carries a new value of this kind. */
  readonly everyRequest?: 'uuid' | 'timestamp' | 'open';
}

/** A body of one media type. */
export interface MediaData {
  readonly mediaType: string;
  /** The name of the check of the body; absent where the contract states no schema. */
  readonly check?: string;
  readonly shape?: ValueShape;
  /** How the fields of a form are written, where the contract states it; by name. */
  readonly fields?: Readonly<Record<string, { readonly style: string; readonly explode: boolean }>>;
  /** The examples of the contract. */
  readonly examples: readonly Pick<Example, 'name' | 'value'>[];
  /** Values that are made from the schema, for bodies without an example; each is valid. */
  readonly samples: readonly Json[];
}

export interface ResponseData {
  /** `200`, `2XX` or `default`. */
  readonly status: string;
  readonly description: string;
  /** The headers that every response of this status has, with a value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly content: readonly MediaData[];
}

/** A notification that the service sends. */
export interface NotificationData {
  /** The kind of the event; unique. */
  readonly kind: string;
  readonly summary?: string;
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
  readonly examples: readonly Pick<Example, 'name' | 'value'>[];
  /** Payloads that break one rule each. */
  readonly invalidExamples: readonly Pick<Example, 'name' | 'value'>[];
  /** Payloads that are made from the schema; each is valid. */
  readonly samples: readonly Json[];
  /** The expressions whose equal values make two deliveries the same event; absent where the contract states none. */
  readonly dedupeBy?: OrUnstated<readonly string[]>;
  /** Alternatives, each a list of ids of schemes. Empty: the contract does not state how deliveries are authenticated. */
  readonly security: readonly (readonly string[])[];
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
export interface SchemeData {
  /** The name in the contract; unique. */
  readonly id: string;
  readonly type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS' | 'other';
  /** `path`: a segment of the path of the URL that the receiver registered. */
  readonly in?: 'header' | 'query' | 'cookie' | 'path';
  readonly parameterName?: string;
  /** For `http`: the authentication scheme, such as `bearer`; in lower case. */
  readonly httpScheme?: string;
  /** The name of the credential with its key or secret; absent for access tokens that an operation issues. */
  readonly credential?: string;
  readonly signature?: SignatureData;
  /** A signature that is a member of the body. */
  readonly bodySignature?: BodySignatureScheme;
  readonly accessToken?: AccessTokenData;
}

/** A value whose parts open questions can decide. */
type Open<T> = T extends object | undefined
  ? { readonly [Member in keyof T]: Open<T[Member]> }
  : OrUnstated<T extends string ? string : T>;

/** A signature of `@countersign/runtime/signing`, with the open questions of the contract. */
export type SignatureData = Open<
  Omit<SignatureScheme, 'key'> & Omit<KeyPairScheme, keyof SignatureScheme>
> & {
  readonly header: string;
  readonly key: Open<Omit<SignatureScheme['key'] & KeyPairScheme['key'], 'encoding'>> & {
    readonly encoding?: OrUnstated<string>;
    /** The address at which the service publishes its public keys. */
    readonly jwks?: string;
  };
};

/** How an access token is issued and sent. */
export interface AccessTokenData {
  /** The name of the operation that issues it. */
  readonly operation: string;
  /** Where the response has the token: a runtime expression. */
  readonly token: string;
  /** Where the response has the lifetime in seconds: a runtime expression. */
  readonly lifetime?: string;
  /** The template of the header's value, with the placeholder `{token}`. */
  readonly value: OrUnstated<string>;
}

/** A secret or a name that the operator of the service issues. */
export interface CredentialData {
  /** Its name in the generated client. */
  readonly name: string;
  readonly description?: string;
  /** `pair`: a user name and a password for HTTP Basic, or a client ID and its secret, with a colon between them. */
  readonly form: 'text' | 'pair' | 'key';
  /**
   * For a credential that a token request carries: the operation, and the parameter or the property of the body.
   */
  readonly sentBy?: {
    readonly operation: string;
    readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body';
    readonly name: string;
    /** Present where the contract does not require it. */
    readonly isOptional?: true;
  };
  /** Present for a value of a token request that is not a secret, such as a scope: every valid value is accepted. */
  readonly isPublic?: true;
  /** A value of it that the contract states. */
  readonly value?: string;
}

/** An open question of the ledger with its choices. */
export type Question = Pick<Unstated, 'id' | 'optionName' | 'question' | 'assumed' | 'choices'>;

/** A workflow, from the integrator's side. */
export interface WorkflowData {
  readonly id: string;
  readonly summary?: string;
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
