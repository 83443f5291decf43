/**
 * Measures one cold start: imports a bundle, calls its handler once, and prints the times. It is plain JavaScript
 * without imports, so that nothing is loaded before the clock starts.
 */
const [, , bundle, eventFile] = process.argv;
const event = JSON.parse(process.getBuiltinModule('node:fs').readFileSync(eventFile, 'utf8'));

const cpuBefore = process.cpuUsage();
const started = performance.now();
const { handler } = await import(bundle);
const imported = performance.now();
const answer = await handler(event, {});
const ended = performance.now();
const cpu = process.cpuUsage(cpuBefore);

process.send({
  status: answer.statusCode,
  import_ms: imported - started,
  wall_ms: ended - started,
  cpu_ms: (cpu.user + cpu.system) / 1000,
  undici: process.moduleLoadList.some((name) => name.includes('undici')),
  zlib: process.moduleLoadList.includes('NativeModule zlib'),
});
process.disconnect();
