/**
 * Where work waits. What has to happen now (a tick, a venue's session) never waits behind what takes long (backfills, replays,
 * upkeep), and may be done by other processes; nor behind settlements, whose windows are collected all the time. What is kept of our own
 * exchange is done where its trading database is.
 */
export const TASK_QUEUES = {
  live: 'tidemark',
  bulk: 'tidemark-bulk',
  settlement: 'tidemark-settlement',
  venue: 'tidemark-own-venue',
} as const
export type TaskQueue = keyof typeof TASK_QUEUES
