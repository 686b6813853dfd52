type Values<T> = Readonly<Record<string, T | undefined>> | null | undefined;

/** An HTTP request as API Gateway (payload formats 1.0 and 2.0), a function URL or a load balancer describes it. */
export interface LambdaEvent {
  readonly rawPath?: string | undefined;
  readonly rawQueryString?: string | undefined;
  readonly cookies?: readonly string[] | undefined;
  readonly httpMethod?: string | undefined;
  readonly path?: string | undefined;
  readonly queryStringParameters?: Values<string>;
  readonly multiValueQueryStringParameters?: Values<readonly string[]>;
  readonly headers?: Values<string>;
  readonly multiValueHeaders?: Values<readonly string[]>;
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
  readonly requestContext?:
    | {
        readonly path?: string | undefined;
        readonly http?: { readonly method: string } | undefined;
        readonly elb?: object | undefined;
      }
    | undefined;
}

/** A response in the format that the source of the event expects. */
export interface LambdaResult {
  statusCode: number;
  statusDescription?: string;
  headers?: Record<string, string>;
  multiValueHeaders?: Record<string, [string]>;
  body: string;
  isBase64Encoded: boolean;
}
