/** Rows of one numbered table in one commit, in order. */
export type HubCommit = {
  /** Table of the warehouse, or another source with its own seqs. */
  readonly table: string
  readonly rows: readonly { readonly seq: number }[]
}

/** Feed of commits for the stream, in the shape of the warehouse's feed (see warehouse/reader/reader.ts). */
export type HubFeed = {
  subscribe(listener: (commit: HubCommit) => void): () => void
  /** Retained commits, oldest first; those before the commit of `after_seq` may be omitted. */
  recent(table: string, after_seq?: number): readonly HubCommit[]
  epoch(table: string): string
  head(table: string): number
  last(table: string, values: Readonly<Record<string, string>>): number | null
}

/** Joins two feeds; `is_second` selects the feed of a table. */
export function joinFeeds(first: HubFeed, second: HubFeed, is_second: (table: string) => boolean): HubFeed {
  const of = (table: string) => (is_second(table) ? second : first)
  return {
    subscribe(listener) {
      const leave = [first.subscribe(listener), second.subscribe(listener)]
      return () => {
        for (const end of leave) end()
      }
    },
    recent: (table, after_seq) => of(table).recent(table, after_seq),
    epoch: (table) => of(table).epoch(table),
    head: (table) => of(table).head(table),
    last: (table, values) => of(table).last(table, values),
  }
}
