/**
 * Task queues. Urgent work (a tick, a venue's session) never waits behind long work (backfills, replays, upkeep) or settlements,
 * whose windows run all the time, and can run in other processes. Work for our own exchange runs where its trading database is.
 */
export const TASK_QUEUES = {
  live: 'tidemark',
  bulk: 'tidemark-bulk',
  settlement: 'tidemark-settlement',
  venue: 'tidemark-own-venue',
} as const
export type TaskQueue = keyof typeof TASK_QUEUES
