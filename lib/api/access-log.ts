/**
 * Format of the access log: one line for each request. It leaves out paths, queries, headers and addresses, which
 * identify tenants' assets and people. The log line of the function, with the same request id, names the tenant.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 */
const fields = {
  time: '$context.requestTime',
  request_id: '$context.requestId',
  route: '$context.routeKey',
  method: '$context.httpMethod',
  status: '$context.status',
  protocol: '$context.protocol',
  response_bytes: '$context.responseLength',
  latency_ms: '$context.responseLatency',
  integration_latency_ms: '$context.integrationLatency',
  integration_status: '$context.integrationStatus',
  integration_error: '$context.integrationErrorMessage',
  gateway_error: '$context.error.responseType',
};

export const accessLogFormat = JSON.stringify(fields);
