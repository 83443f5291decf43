/** Node's zlib: 3 ms of a cold start, hence loaded by the first call that compresses. */
export const zlib = () => process.getBuiltinModule('node:zlib');
