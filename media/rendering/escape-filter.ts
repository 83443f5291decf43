/** Escapes texts for ffmpeg's filter graphs. ffmpeg parses them twice: as a graph, and as options of a filter. */

/** Escapes a path as the value of an option (ffmpeg-filters, "Notes on filtergraph escaping"). */
export function filterValue(text: string): string {
  const asOption = text.replace(/[\\':]/g, '\\$&');
  return asOption.replace(/[\\'[\],;]/g, '\\$&');
}
