/** Clocks that stamp imported records: ours, or the instants that the archive recorded. */
export const IMPORT_CLOCKS = ['wall', 'recorded'] as const
export type ImportClock = (typeof IMPORT_CLOCKS)[number]

/** States of a backfill. */
export const UNENDED_BACKFILL_STATES = ['planning', 'running'] as const
const BACKFILL_STATES = [...UNENDED_BACKFILL_STATES, 'done', 'cancelled', 'failed'] as const
export type BackfillState = (typeof BACKFILL_STATES)[number]
