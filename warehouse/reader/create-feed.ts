import type { TableName } from '../tables.ts'
import type { FollowedTableName } from './followed-tables.ts'
import type { Feed, FeedCommit, ReaderStatus } from './reader.ts'
import type { Memories } from './table-memory.ts'

/** The feed, and how it is fed. */
export type FedFeed = Feed & {
  tellCommit(commit: FeedCommit): void
  tellStatus(status: ReaderStatus): void
}

/** Hands commits and changes of status to whoever listens, in the order in which they come. */
export function createFeed(memories: Memories): FedFeed {
  const commit_listeners = new Set<(commit: FeedCommit) => void>()
  const status_listeners = new Set<(status: ReaderStatus) => void>()
  const memory = (table: TableName) => memories.get(table as FollowedTableName)
  return {
    subscribe: (listener) => added(commit_listeners, listener),
    recent: (table) => memory(table)?.recent.list(Date.now()) ?? [],
    epoch: (table) => memory(table)?.epoch ?? '',
    head: (table) => memory(table)?.head_seq ?? 0,
    last: (table, values) => memory(table)?.lastSeq(values) ?? null,
    onStatus: (listener) => added(status_listeners, listener),
    tellCommit: (commit) => {
      for (const listener of commit_listeners) listener(commit)
    },
    tellStatus: (status) => {
      for (const listener of status_listeners) listener(status)
    },
  }
}

/** Gives what takes the listener away again. */
function added<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
