/**
 * What CloudFront may put in the place of `/` before viewer-request sees it: its guides do not say which comes first. There is
 * no object of this name, and nobody links it.
 */
export const rootObject = '/_root.html';
