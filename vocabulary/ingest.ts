/** Clocks that stamp imported records: ours, or the instants that the archive recorded. */
export const IMPORT_CLOCKS = ['wall', 'recorded'] as const
export type ImportClock = (typeof IMPORT_CLOCKS)[number]

/** States of a backfill. */
const BACKFILL_STATES = ['planning', 'running', 'done', 'cancelled', 'failed'] as const
export type BackfillState = (typeof BACKFILL_STATES)[number]
