/**
 * One line a request. No path, query string, header or address: those name tenants' things and people. The
 * function's own line, found by the same request id, says which tenant called.
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
