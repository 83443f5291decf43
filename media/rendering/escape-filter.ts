/** Texts in ffmpeg's filter graphs, which are read twice: as a graph, and as options of a filter. */

/** A path as the value of an option (ffmpeg-filters, "Notes on filtergraph escaping"). */
export function filterValue(text: string): string {
  const asOption = text.replace(/[\\':]/g, '\\$&');
  return asOption.replace(/[\\'[\],;]/g, '\\$&');
}
