/**
 * Results of calls. `await` returns the data. `withResponse()` also returns the ETag and the status. Lists return all
 * pages.
 */

/** The response to a call: its data, ETag and status. */
export interface Full<Data> {
  readonly data: Data;
  /** The version of the resource, for `ifMatch` in an update or deletion. Null if the resource has no version. */
  readonly etag: string | null;
  readonly status: number;
  readonly headers: Headers;
}

export interface Answer<Data> extends Promise<Data> {
  /**
   * Returns the data with the ETag, the status and the headers.
   * @example
   * const { data, etag } = await kinora.getTemplate({ template_id }).withResponse();
   * await kinora.updateTemplate({ template_id, body: { name: `${data.name} (old)` } }, { ifMatch: etag! });
   */
  withResponse(): Promise<Full<Data>>;
}

export interface Page<Item = unknown> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/**
 * A list. `await` returns one page. `for await` returns all items, from this page to the last.
 * @example
 * for await (const asset of kinora.listAssets({ sentiment: 'Positive' })) console.log(asset.name);
 */
export interface List<Kind extends Page> extends Answer<Kind>, AsyncIterable<Kind['data'][number]> {
  /** Returns this page and the following pages, one by one. */
  pages(): AsyncIterable<Kind>;
}

export function answerOf<Data>(full: Promise<Full<Data>>): Answer<Data> {
  const data = full.then((answer) => answer.data);
  return Object.assign(data, {
    withResponse: () => {
      // The caller of `withResponse()` receives the error.
      data.catch(() => undefined);
      return full;
    },
  });
}

/** @param next requests the page at a cursor */
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
