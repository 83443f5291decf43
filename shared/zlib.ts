/** Node's zlib. Loading zlib takes 3 ms, so it is loaded at the first compression, not at each cold start. */
export const zlib = () => process.getBuiltinModule('node:zlib');
