import { LINK_FIELDS } from './index-level.ts'

/** Fields of an answer that say what was known of a record at the instant, not what was published, by kind in the log. */
export const FIELDS_KNOWN_AT = {
  index_observation: ['quality_state', 'reason_codes'],
  index_version: ['effective_to', ...LINK_FIELDS],
} as const satisfies Readonly<Record<string, readonly string[]>>
