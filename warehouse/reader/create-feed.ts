import type { TableName } from '../tables.ts'
import type { FollowedTableName } from './followed-tables.ts'
import type { Feed, FeedCommit, ReaderStatus } from './reader.ts'
import type { Memories } from './table-memory.ts'

/** Feed with the functions that publish to it. */
export type FedFeed = Feed & {
  publishCommit(commit: FeedCommit): void
  publishStatus(status: ReaderStatus): void
}

/** Creates a feed that passes commits and status changes to its listeners in order of arrival. */
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
    publishCommit: (commit) => {
      for (const listener of commit_listeners) listener(commit)
    },
    publishStatus: (status) => {
      for (const listener of status_listeners) listener(status)
    },
  }
}

/** Adds a listener and returns the function that removes it. */
function added<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
