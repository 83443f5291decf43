/**
 * The default root object, which CloudFront may substitute for `/` before viewer-request runs: its guides do not say which comes
 * first. No object has this name, and no page links to it.
 */
export const rootObject = '/_root.html';
