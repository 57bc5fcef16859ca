/** A page, and what the next one starts with; undefined behind the last. */
export type PageOf<Item, Cursor> = {
  readonly items: readonly Item[]
  readonly next: Cursor | undefined
}

/** Reads a list page by page: each page is asked for when the one before was used up. */
export async function* pages<Item, Cursor>(
  read: (cursor: Cursor | undefined) => Promise<PageOf<Item, Cursor>>,
): AsyncGenerator<Item> {
  let cursor: Cursor | undefined
  do {
    const page: PageOf<Item, Cursor> = await read(cursor)
    yield* page.items
    cursor = page.next
  } while (cursor !== undefined)
}
