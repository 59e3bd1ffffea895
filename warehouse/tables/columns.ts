import { type ColumnType, decimal } from '../schema.ts'

/** Column types and groups of columns that tables share. */
export const PRICE = decimal(18, 9)
export const QUANTITY = decimal(18, 6)
export const WEIGHT = decimal(18, 10)
export const LEVEL = decimal(18, 4)
export const WIDE = decimal(38, 12)
export const ID: ColumnType = 'VARCHAR'
export const TEXT: ColumnType = 'VARCHAR'
export const TIME: ColumnType = 'TIMESTAMPTZ'

export const REVISED = { revision: 'INTEGER', supersedes_id: ID, correction_reason: TEXT } as const
/** Row of the same revision that a row confirms: it states nothing new, but moves `confirmed_at`. */
export const CONFIRMS = { confirms_id: ID } as const
export const RECEIVED = { source_at: TIME, received_at: TIME } as const
export const CURRENT_REVISION = ['revision'] as const
export const CURRENT_RECEIVED = ['received_at', 'revision'] as const
