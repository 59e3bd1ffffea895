/** What was committed of one numbering, in its order. */
export type HubCommit = {
  /** Table of the warehouse, or what else numbers its records by itself. */
  readonly table: string
  readonly rows: readonly { readonly seq: number }[]
}

/** What the stream follows: the shape of the warehouse's feed (warehouse/reader/reader.ts says what each answer means). */
export type HubFeed = {
  subscribe(listener: (commit: HubCommit) => void): () => void
  /** What is kept, oldest first; `after_seq`: what was committed before the commit of that place may be left out. */
  recent(table: string, after_seq?: number): readonly HubCommit[]
  epoch(table: string): string
  head(table: string): number
  last(table: string, values: Readonly<Record<string, string>>): number | null
}

/** Two feeds as one; `is_second` tells whose a table is. */
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
