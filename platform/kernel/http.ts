/** The shapes of HTTP API payload format 2.0 that the kernel uses (AWS doc: http-api-develop-integrations-lambda). */
export interface HttpEvent {
  readonly version?: string;
  readonly routeKey: string;
  readonly rawPath: string;
  readonly rawQueryString?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null;
  readonly pathParameters?: Readonly<Record<string, string | undefined>> | null;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
  readonly requestContext: {
    readonly requestId: string;
    readonly http: { readonly method: string; readonly path: string };
  };
}

export interface HttpReply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the body is base64 of bytes rather than text. */
  readonly isBase64Encoded?: boolean;
}
