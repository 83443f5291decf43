/**
 * The default root object. CloudFront may substitute it for `/` before viewer-request runs: its guides do not state the order. No object
 * has this name, and no page links to this name.
 */
export const rootObject = '/_root.html';
