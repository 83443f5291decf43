/** Chooses the stored coding for an Accept-Encoding field (RFC 9110 §12.5.3). Pure. */
import { parseWeight } from './negotiation.ts';

export type Suffix = '.br' | '.gz' | '';

/** Prefers Brotli to gzip at equal weight. Returns '' if the field accepts neither, or gives identity a higher weight. */
export function encodingFor(field: string): Suffix {
  const weights = weightsOf(field);
  const any = weights[' *'] || 0;
  const weightOf = (name: string): number => {
    const own = weights[` ${name}`];
    return own === undefined ? any : own;
  };
  const brotli = weightOf('br');
  const gzip = weightOf('gzip');
  const best = Math.max(brotli, gzip);
  if (best === 0 || (weights[' identity'] || 0) > best) return '';
  return brotli === best ? '.br' : '.gz';
}

/** Whether the field allows gzip, at any weight above 0. */
export function acceptsGzip(field: string): boolean {
  const weights = weightsOf(field);
  const own = weights[' gzip'];
  return (own === undefined ? weights[' *'] || 0 : own) > 0;
}

/** Returns the weights by name. Names begin with a space, so that no name equals a built-in member of objects. */
function weightsOf(field: string): { [name: string]: number } {
  const weights: { [name: string]: number } = {};
  field
    .toLowerCase()
    .split(',')
    .forEach((element) => {
      const parts = /^[ \t]*([\w*-]+)[ \t]*(?:;[ \t]*q=([\d.]+)[ \t]*)?$/.exec(element);
      if (!parts) return;
      const weight = parts[2] === undefined ? 1 : parseWeight(parts[2]);
      if (weight !== undefined) weights[` ${parts[1]!}`] = weight;
    });
  return weights;
}
