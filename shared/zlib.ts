/** Node's zlib. It takes 3 ms of a cold start, so the first compression loads it. */
export const zlib = () => process.getBuiltinModule('node:zlib');
