/**
 * Handles a request as CloudFront does: viewer-request, cache and origin, response headers policy, viewer-response. The function
 * for viewer-response does not run if viewer-request returned an answer, or if the origin answered with a status of 400 or more.
 */
import type { BuiltSite } from './built-site.ts';
import { compress } from './compression.ts';
import { applyConditions, applyRange } from './conditions.ts';
import { answerFrom, type EventRequest, eventHeaders, eventRequest, headersFrom } from './event.ts';
import { type Answer, type Headers, headersOf, type ViewerRequest } from './message.ts';
import { readOrigin } from './origin.ts';
import { type EdgeFunction, FunctionFailed, loadFunction } from './sandbox.ts';
import { checkGenerated, checkRequest, checkResponse, isResponse, ResultRefused } from './validation.ts';

/**
 * The URI in the event of viewer-response: either the URI of the viewer, or the one that viewer-request returned. The developer
 * guide does not say which. The functions must work with both.
 */
export type ResponseUri = 'rewritten' | 'original';

export interface Distribution {
  answer(request: ViewerRequest): Promise<Answer>;
}

export function openDistribution(site: BuiltSite, responseUri: ResponseUri): Distribution {
  const viewerRequest = loadFunction(site.viewerRequest, 'viewer-request.js');
  const viewerResponse = loadFunction(site.viewerResponse, 'viewer-response.js');
  return {
    answer: async (request) => {
      try {
        return await answered(site, { viewerRequest, viewerResponse, responseUri }, request);
      } catch (error) {
        return failed(error);
      }
    },
  };
}

interface Functions {
  readonly viewerRequest: EdgeFunction;
  readonly viewerResponse: EdgeFunction;
  readonly responseUri: ResponseUri;
}

async function answered(site: BuiltSite, functions: Functions, request: ViewerRequest): Promise<Answer> {
  const { viewerRequest, viewerResponse, responseUri } = functions;
  const before = eventRequest(request);
  const result = await viewerRequest({
    type: 'viewer-request',
    request: before,
    rawQueryString: request.query,
  });
  if (isResponse(result)) {
    checkGenerated(result);
    return marked(withLength(answerFrom(result)), 'FunctionGeneratedResponse from cloudfront');
  }
  checkRequest(before, result);

  const fetched = fetchObject(site, result);
  if (fetched.status >= 400) return marked(ofTheErrorDocument(site, fetched), 'Error from cloudfront');
  const response = {
    statusCode: fetched.status,
    headers: eventHeaders(underPolicy(site, fetched.headers)),
  };
  const seen = responseUri === 'rewritten' ? result : before;
  const completed = await viewerResponse({
    type: 'viewer-response',
    request: seen,
    response,
    rawQueryString: request.query,
  });
  if (!isResponse(completed)) throw new ResultRefused('viewer-response returned no response');
  checkResponse(response, completed);
  const { status, headers } = answerFrom(completed);
  return marked({ status, headers, body: fetched.body }, 'Miss from cloudfront');
}

/** Reads the object and applies the request's conditions and range. A range applies to the uncompressed object. */
function fetchObject(site: BuiltSite, { uri, headers: values }: EventRequest): Answer {
  const headers = headersFrom(values);
  const found = readOrigin(site, uri);
  if (headers.range !== undefined) return applyRange(applyConditions(found, headers), headers);
  return applyConditions(compress(found, headers), headers);
}

/** Replaces a 404 by the error document, which has its own headers. Answers with other errors stay unchanged. */
function ofTheErrorDocument(site: BuiltSite, failure: Answer): Answer {
  if (failure.status !== 404) return { ...failure, headers: underPolicy(site, failure.headers) };
  const document = readOrigin(site, site.distribution.errorDocument);
  return { status: 404, headers: underPolicy(site, document.headers), body: document.body };
}

function underPolicy({ distribution }: BuiltSite, headers: Headers): Headers {
  const kept = Object.entries(headers).filter(([name]) => !distribution.removedHeaders.includes(name));
  return { ...Object.fromEntries(kept), ...headersOf(distribution.responseHeaders) };
}

const withLength = (answer: Answer): Answer =>
  answer.status === 204
    ? answer
    : { ...answer, headers: { ...answer.headers, 'content-length': [String(answer.body.length)] } };

const marked = (answer: Answer, cache: string): Answer => ({
  ...answer,
  headers: { ...answer.headers, server: ['CloudFront'], 'x-cache': [cache] },
});

/** Returns CloudFront's own error page: 503 if a function failed, 502 if CloudFront refuses the result of a function. */
function failed(error: unknown): Answer {
  if (!(error instanceof FunctionFailed || error instanceof ResultRefused)) throw error;
  const status = error instanceof FunctionFailed ? 503 : 502;
  const body = Buffer.from(
    `<!DOCTYPE html><title>${status} ERROR</title><p>${error.message.replaceAll('<', '&lt;')}`,
  );
  const headers = headersOf({ 'content-type': 'text/html', 'content-length': String(body.length) });
  return marked({ status, headers, body }, 'FunctionExecutionError from cloudfront');
}
