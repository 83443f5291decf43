/** Node's zlib. Loading takes 3 ms, so only the first compression loads it, not each cold start. */
export const zlib = () => process.getBuiltinModule('node:zlib');
