/**
 * Where work waits. What has to happen now (a tick, a venue's session) never waits behind what takes long (backfills, replays,
 * upkeep), and may be done by other processes.
 */
export const TASK_QUEUES = { live: 'tidemark', bulk: 'tidemark-bulk' } as const
export type TaskQueue = keyof typeof TASK_QUEUES
