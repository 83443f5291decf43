/** Results of calls: `await` gives the data, `withResponse()` also the ETag and the status; lists give all their pages. */

/** An answer: its data with ETag and status. */
export interface Full<Data> {
  readonly data: Data;
  /** Version of what was answered, as `ifMatch` of a change or a deletion takes it; null where it has none. */
  readonly etag: string | null;
  readonly status: number;
  readonly headers: Headers;
}

export interface Answer<Data> extends Promise<Data> {
  /**
   * The data with their ETag, status and headers.
   * @example
   * const { data, etag } = await kinora.getTemplate({ template_id }).withResponse();
   * await kinora.updateTemplate({ template_id, body: { name: `${data.name} (old)` } }, { ifMatch: etag! });
   */
  withResponse(): Promise<Full<Data>>;
}

/** One page of a list. */
export interface Page<Item = unknown> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/**
 * A page when it is awaited; all items, of this page and of those after it, when it is gone through.
 * @example
 * for await (const asset of kinora.listAssets({ sentiment: 'Positive' })) console.log(asset.name);
 */
export interface List<Kind extends Page> extends Answer<Kind>, AsyncIterable<Kind['data'][number]> {
  /** This page and those after it, one by one. */
  pages(): AsyncIterable<Kind>;
}

export function answerOf<Data>(full: Promise<Full<Data>>): Answer<Data> {
  const data = full.then((answer) => answer.data);
  return Object.assign(data, {
    withResponse: () => {
      // The caller of `withResponse()` gets the error.
      data.catch(() => undefined);
      return full;
    },
  });
}

/** @param next asks for the page that a cursor leads to */
export function listOf<Kind extends Page>(
  first: Answer<Kind>,
  next: (cursor: string) => Promise<Kind>,
): List<Kind> {
  async function* pages() {
    let page = await first;
    yield page;
    while (page.next_cursor !== null) {
      page = await next(page.next_cursor);
      yield page;
    }
  }
  async function* items() {
    for await (const { data } of pages()) yield* data;
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}
